// What realtime costs without subscribers: reads and writes of a service with it and of one without (WEBSOCKETS=off, REALTIME_WATCH=off), in
// processor time per request. A second service with realtime shows how far two equal services differ. `npm run bench -- realtime-idle`, with
// `--vendors`; IDLE_ROUNDS and IDLE_SECONDS say how long it takes.

import { openDatabase, titles } from './databases.mjs';
import { openGenerator } from './generator.mjs';
import { median, play } from './play.mjs';
import { setUp } from './setup.mjs';
import { startTain } from './targets.mjs';

/** The most that realtime may cost. */
const aim = 1.02;
const workloads = ['a', 'c', 'f'];
const rounds = Number(process.env.IDLE_ROUNDS ?? 9);
const seconds = Number(process.env.IDLE_SECONDS ?? 3);
const vendors = (process.env.BENCH_VENDORS ?? 'sqlite,postgres,mysql').split(',');

const generator = openGenerator();
for (const vendor of vendors) await measure(vendor);
generator.close();

async function measure(vendor) {
  const database = await openDatabase(vendor, 1);
  const targets = [];
  const start = async (name, env) => targets.push({ ...(await startTain({ name, database, env })), workloads: new Set(workloads) });
  try {
    await start('on', {});
    await setUp(targets[0].url);
    await start('on again', {});
    await start('off', { WEBSOCKETS: 'off', REALTIME_WATCH: 'off' });
    const samples = await play({ generator, targets, workloads, concurrencies: [16], rounds, seconds, onProgress: () => undefined });
    for (const workload of workloads) report(vendor, workload, samples);
  } finally {
    for (const target of targets) await target.stop();
    await database.close({ keep: false });
  }
}

function report(vendor, workload, samples) {
  const cost = (target, round) => {
    const { serviceCpu, databaseCpu } = samples.find(
      (sample) => sample.workload === workload && sample.target === target && sample.round === round,
    );
    return serviceCpu + (Number.isNaN(databaseCpu) ? 0 : databaseCpu);
  };
  const ratio = (target) => median(Array.from({ length: rounds }, (_, index) => cost(target, index + 1) / cost('off', index + 1)));
  const [on, again] = [ratio('on'), ratio('on again')];
  const each = median(Array.from({ length: rounds }, (_, index) => cost('on', index + 1)));
  const failed = samples.reduce((sum, sample) => sum + sample.failed, 0);
  console.log(
    `${titles[vendor]}, ${workload}: ${each.toFixed(0)} µs per request with realtime, ${on.toFixed(3)} and ${again.toFixed(3)} × of without (aim ≤ ${aim}); ${failed} failed`,
  );
  // Both count: to take the better one would be to choose the result.
  if ((on + again) / 2 > aim || failed > 0) process.exitCode = 1;
}
