// Plays the workloads on each vendor: seeds databases, starts the targets, compares their answers, plays, prints.

import { writeFileSync } from 'node:fs';
import { barConcurrency, bars } from './bars.mjs';
import { compareAnswers } from './compare-answers.mjs';
import { openDatabase, titles } from './databases.mjs';
import { openGenerator } from './generator.mjs';
import { startPeers } from './peers.mjs';
import { play, summarize } from './play.mjs';
import { memoryOf } from './processes.mjs';
import { printTable } from './report.mjs';
import { buildRevision } from './revision.mjs';
import { setUp } from './setup.mjs';
import { countStatements, startBare, startTain } from './targets.mjs';
import { isWriting, requestOf } from './workloads.mjs';

const print = (text) => process.stderr.write(`${text}\n`);

export async function playWorkloads(options) {
  const generator = openGenerator();
  const revision = options.against === null ? null : buildRevision(options.against);
  const results = [];
  try {
    console.log(`Load by ${generator.name}; median of ${options.rounds} interleaved rounds of ${options.seconds} s.`);
    for (const vendor of options.vendors) results.push(await playVendor(vendor, options, generator, revision));
  } finally {
    generator.close();
    revision?.remove();
  }
  if (options.json !== null) writeFileSync(options.json, JSON.stringify(results, null, 1));
  if (results.some((result) => !result.green)) process.exitCode = 1;
}

async function playVendor(vendor, options, generator, revision) {
  print(`${titles[vendor]}: seeding`);
  const databases = await openDatabases(vendor, options, revision);
  const resetAll = () => Promise.all(databases.map((database) => database.reset()));
  const running = [];
  try {
    for await (const target of startTargets(vendor, databases, options, revision)) running.push(target);
    const wrong = await chooseWorkloads(running, options.workloads);
    await resetAll();
    const statements = await countStatements(databases[0].url, options.workloads);
    await resetAll();
    const round = () => playPhases({ generator, targets: running, options, resetAll });
    const samples = await round();
    const rows = summarize(samples, 'bare');
    for (const concurrency of options.concurrencies) printTable({ vendor, rows, statements, base: 'bare', concurrency });
    for (const target of running) console.log(`${target.name}: peak ${memoryOf(target.pid).peak.toFixed(0)} MB resident`);
    const green = wrong.length === 0 && (!options.short || (await isGreen(vendor, rows, round)));
    return { vendor, samples, rows, statements: [...statements], wrong, green };
  } finally {
    for (const target of running.reverse()) await target.stop();
    for (const database of databases) await database.close({ keep: options.keep && database === databases[0] });
  }
}

/** Another revision gets a database of its own: its system tables differ, and neither service could start on those of the other. */
async function openDatabases(vendor, options, revision) {
  const own = await openDatabase(vendor, options.scale);
  return revision === null ? [own] : [own, await openDatabase(vendor, options.scale, 'tain_test_bench_against')];
}

async function* startTargets(vendor, [database, other], options, revision) {
  const tain = await startTain({ database });
  yield tain;
  await setUp(tain.url);
  yield await startBare({ database });
  if (options.workloads.some(isWriting) && !options.short)
    yield { ...(await startTain({ name: 'tain, history on', database, history: true })), writesOnly: true };
  if (revision !== null) {
    const against = await startTain({ name: options.against, database: other, dist: revision.dist });
    yield against;
    await setUp(against.url);
  }
  if (options.peers && vendor === 'postgres') yield* startPeers(options.scale);
}

/** A target plays the workloads that it answers as the bare handler does. Workloads with other answers are reported and left out. */
async function chooseWorkloads(targets, wanted) {
  const bare = targets.find((target) => target.name === 'bare');
  const wrong = [];
  for (const target of targets) {
    target.workloads = new Set();
    for (const workload of wanted) {
      if (requestOf(target.dialect, workload, 0) === null || (target.writesOnly && !isWriting(workload))) continue;
      const problem = target === bare || target.isPeer ? null : await compareAnswers(target, bare, workload);
      if (problem === null) target.workloads.add(workload);
      else {
        wrong.push({ target: target.name, workload, problem });
        console.log(`${target.name}, ${workload}: ${problem}`);
      }
    }
  }
  return wrong;
}

/** Plays reads first: rows added by writes would slow some of them down. */
async function playPhases({ generator, targets, options, resetAll }) {
  const phase = async (workloads) =>
    play({
      generator,
      targets,
      workloads,
      concurrencies: options.concurrencies,
      rounds: options.rounds,
      seconds: options.seconds,
      warmUp: options.warmUp,
      onProgress: (text) => process.stderr.isTTY && process.stderr.write(`\r${text.padEnd(70)}`),
    });
  const reads = await phase(options.workloads.filter((workload) => !isWriting(workload)));
  const writes = await phase(options.workloads.filter(isWriting));
  await resetAll();
  return [...reads, ...writes];
}

/** A workload is red when it is below its bar twice in a row; once may be due to other load on the machine. */
async function isGreen(vendor, rows, again) {
  const below = (list) => list.filter(isBelow(vendor)).map((row) => row.workload);
  const first = below(rows);
  if (first.length === 0) return true;
  print(`below the bar: ${first.join(', ')}; once more`);
  const second = below(summarize(await again(), 'bare'));
  const both = first.filter((workload) => second.includes(workload));
  console.log(both.length === 0 ? 'The repeat does not agree: green.' : `Red on ${titles[vendor]}: ${both.join(', ')}`);
  return both.length === 0;
}

const isBelow = (vendor) => (row) =>
  row.target === 'tain' && !row.void && row.concurrency === barConcurrency && row.ratio < (bars[vendor][row.workload] ?? 0);
