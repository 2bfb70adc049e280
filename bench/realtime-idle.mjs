// What realtime costs without subscribers: reads and writes of a service with it and of one without (WEBSOCKETS=off, REALTIME_WATCH=off), in
// processor time per request. Two equal services differ by a few per cent, and the one that starts or plays first tends to cost more. So
// both are started anew in each turn, in alternating order, and the figure is the mean over all turns, with its standard error.
// `npm run bench -- realtime-idle`, with `--vendors`; IDLE_TURNS, IDLE_ROUNDS and IDLE_SECONDS say how long it takes.

import { openDatabase, titles } from './databases.mjs';
import { openGenerator } from './generator.mjs';
import { median, play } from './play.mjs';
import { setUp } from './setup.mjs';
import { startTain } from './targets.mjs';

/** The most that realtime may cost. */
const aim = 1.02;
const workloads = ['a', 'c', 'f'];
const connections = 16;
const turns = Number(process.env.IDLE_TURNS ?? 8);
const rounds = Number(process.env.IDLE_ROUNDS ?? 3);
const seconds = Number(process.env.IDLE_SECONDS ?? 2);
const vendors = (process.env.BENCH_VENDORS ?? 'sqlite,postgres,mysql').split(',');

const sides = [
  { name: 'on', env: {} },
  { name: 'off', env: { WEBSOCKETS: 'off', REALTIME_WATCH: 'off' } },
];

const generator = openGenerator();
for (const vendor of vendors) await measure(vendor);
generator.close();

async function measure(vendor) {
  const database = await openDatabase(vendor, 1);
  try {
    // Neither of the services that are measured sets up the database.
    const first = await startTain({ database });
    await setUp(first.url).finally(() => first.stop());
    const played = [];
    for (let turn = 0; turn < turns; turn += 1) played.push(await playTurn(database, turn % 2 === 0 ? sides : sides.toReversed()));
    for (const workload of workloads) report(vendor, workload, played);
  } finally {
    await database.close({ keep: false });
  }
}

async function playTurn(database, order) {
  const targets = [];
  try {
    for (const { name, env } of order) targets.push({ ...(await startTain({ name, database, env })), workloads: new Set(workloads) });
    const once = { generator, targets, workloads, concurrencies: [connections], seconds, onProgress: () => undefined };
    return await play({ ...once, warmUp: 4, rounds });
  } finally {
    for (const target of targets) await target.stop();
  }
}

function report(vendor, workload, played) {
  const ratios = played.map((samples) => {
    const cost = (target, round) => {
      const sample = samples.find((each) => each.workload === workload && each.target === target && each.round === round);
      return sample.serviceCpu + (Number.isNaN(sample.databaseCpu) ? 0 : sample.databaseCpu);
    };
    return median(Array.from({ length: rounds }, (_, index) => cost('on', index + 1) / cost('off', index + 1)));
  });
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / turns;
  const error = Math.sqrt(ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (turns - 1) / turns);
  const failed = played.flat().reduce((sum, sample) => sum + sample.failed, 0);
  console.log(
    `${titles[vendor]}, ${workload}: with realtime ${mean.toFixed(3)} ± ${error.toFixed(3)} × of without (aim ≤ ${aim}; turns ${ratios.map((ratio) => ratio.toFixed(3)).join(', ')}); ${failed} failed`,
  );
  if (!(mean <= aim) || failed > 0) process.exitCode = 1;
}
