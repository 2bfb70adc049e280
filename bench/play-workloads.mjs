// The workloads on every vendor: seed, start, set up, compare the answers, play, print.

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

const tell = (text) => process.stderr.write(`${text}\n`);

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
  tell(`${titles[vendor]}: seeding`);
  const database = await openDatabase(vendor, options.scale);
  const running = [];
  try {
    for await (const target of startTargets(vendor, database, options, revision)) running.push(target);
    const wrong = await chooseWorkloads(running, options.workloads);
    await database.reset();
    const statements = await countStatements(database.url, options.workloads);
    await database.reset();
    const round = () => playPhases({ generator, targets: running, options, database });
    const samples = await round();
    const rows = summarize(samples, 'bare');
    for (const concurrency of options.concurrencies) printTable({ vendor, rows, statements, base: 'bare', concurrency });
    for (const target of running) console.log(`${target.name}: peak ${memoryOf(target.pid).peak.toFixed(0)} MB resident`);
    const green = wrong.length === 0 && (!options.short || (await isGreen(vendor, rows, round)));
    return { vendor, samples, rows, statements: [...statements], wrong, green };
  } finally {
    for (const target of running.reverse()) await target.stop();
    await database.close({ keep: options.keep });
  }
}

async function* startTargets(vendor, database, options, revision) {
  const { url: databaseUrl } = database;
  const tain = await startTain({ databaseUrl });
  yield tain;
  await setUp(tain.url);
  yield await startBare({ databaseUrl });
  if (options.workloads.some(isWriting) && !options.short)
    yield { ...(await startTain({ name: 'tain, history on', databaseUrl, history: true })), writesOnly: true };
  if (revision !== null) yield await startTain({ name: options.against, databaseUrl, dist: revision.dist });
  if (options.peers && vendor === 'postgres') yield* startPeers(options.scale);
}

/** Every target plays what it answers as the bare handler does; what differs is told and left out. */
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

/** Reads first: what writes add would make some of them slower. */
async function playPhases({ generator, targets, options, database }) {
  const phase = async (workloads) =>
    play({
      generator,
      targets,
      workloads,
      concurrencies: options.concurrencies,
      rounds: options.rounds,
      seconds: options.seconds,
      onProgress: (text) => process.stderr.isTTY && process.stderr.write(`\r${text.padEnd(70)}`),
    });
  const reads = await phase(options.workloads.filter((workload) => !isWriting(workload)));
  const writes = await phase(options.workloads.filter(isWriting));
  await database.reset();
  return [...reads, ...writes];
}

/** Below a bar twice is red; once may have been the machine. */
async function isGreen(vendor, rows, again) {
  const below = (list) => list.filter(isBelow(vendor)).map((row) => row.workload);
  const first = below(rows);
  if (first.length === 0) return true;
  tell(`below the bar: ${first.join(', ')}; once more`);
  const second = below(summarize(await again(), 'bare'));
  const both = first.filter((workload) => second.includes(workload));
  console.log(both.length === 0 ? 'The repeat does not agree: green.' : `Red on ${titles[vendor]}: ${both.join(', ')}`);
  return both.length === 0;
}

const isBelow = (vendor) => (row) =>
  row.target === 'tain' && !row.void && row.concurrency === barConcurrency && row.ratio < (bars[vendor][row.workload] ?? 0);
