// Three instances of two workers each against one instance of one: requests per second of processor time, with the same number of connections in all.
// Six processes that share a few cores cost more than one, whatever they run: caches and switches. So the bare handler is played the same way, six
// processes against one, and what Tain's instances cost each other is the rest. `npm run bench -- instances`; INSTANCES_VENDORS=postgres,mysql
// selects vendors, INSTANCES_WORKLOADS=a,c,f workloads, INSTANCES_ROUNDS and INSTANCES_SECONDS how long it takes, INSTANCES_CONNECTIONS the
// clients in all, and INSTANCES_POOL the connections of each process to the database (as many as it has clients).

import { openDatabase, titles } from './databases.mjs';
import { openGenerator } from './generator.mjs';
import { median } from './play.mjs';
import { treeSeconds } from './processes.mjs';
import { setUp } from './setup.mjs';
import { startBare, startTain } from './targets.mjs';
import { workloads } from './workloads.mjs';

/** The least ratio to one instance, compared with that of the bare handler. */
const aim = 0.9;
const connections = Number(process.env.INSTANCES_CONNECTIONS ?? 24);
const processes = 6;
const played = (process.env.INSTANCES_WORKLOADS ?? 'a,c,f').split(',');
const rounds = Number(process.env.INSTANCES_ROUNDS ?? 7);
const seconds = Number(process.env.INSTANCES_SECONDS ?? 4);
const vendors = (process.env.INSTANCES_VENDORS ?? 'postgres,mysql').split(',');

const generator = openGenerator();
for (const vendor of vendors) await measure(vendor);
generator.close();

async function measure(vendor) {
  const database = await openDatabase(vendor, 1);
  const all = [];
  const start = async (starter, env) => {
    const service = await starter({ name: `target-${all.length}`, database, env });
    all.push(service);
    return service;
  };
  try {
    const one = await start(startTain, { WORKERS: '1' });
    await setUp(one.url);
    const sides = { one: [one], three: [], bareOne: [await start(startBare, {})], bareSix: [] };
    const shared = { POOL_SIZE: process.env.INSTANCES_POOL ?? String(connections / processes) };
    for (let count = 0; count < 3; count += 1) sides.three.push(await start(startTain, { WORKERS: '2', ...shared }));
    for (let count = 0; count < processes; count += 1) sides.bareSix.push(await start(startBare, shared));
    for (const workload of played) await compare(vendor, workload, sides);
  } finally {
    for (const service of all) await service.stop();
    await database.close({ keep: false });
  }
}

async function compare(vendor, workload, sides) {
  const names = Object.keys(sides);
  // Warms up: each of six processes needs as many requests as a single one.
  for (const name of names) await playOn(sides[name], workload, (sides[name].length === 1 ? 2 : 2 * processes) * seconds);
  const samples = [];
  for (let round = 0; round < rounds; round += 1) {
    const sample = {};
    for (const name of names) sample[name] = await playOn(sides[name], workload);
    samples.push(sample);
  }
  const perSecond = (name) => median(samples.map((sample) => sample[name].requests / sample[name].spent));
  const ratio = (many, single) =>
    median(samples.map((sample) => sample[many].requests / sample[many].spent / (sample[single].requests / sample[single].spent)));
  const [own, bare] = [ratio('three', 'one'), ratio('bareSix', 'bareOne')];
  const failed = samples.flatMap((sample) => Object.values(sample)).reduce((sum, result) => sum + result.failed, 0);
  console.log(
    `${titles[vendor]}, ${workload} (${workloads[workload]}): ${perSecond('three').toFixed(0)} requests per processor second with 3 instances × 2 workers, ` +
      `${perSecond('one').toFixed(0)} with one instance: ${own.toFixed(2)} ×; bare handler ${perSecond('bareSix').toFixed(0)} with 6 processes, ` +
      `${perSecond('bareOne').toFixed(0)} with one: ${bare.toFixed(2)} ×; instances compared with processes ${(own / bare).toFixed(2)} (aim ≥ ${aim}); ${failed} failed`,
  );
  if (!(own / bare >= aim) || failed > 0) process.exitCode = 1;
}

/** The connections are spread over the services evenly. Processor time in seconds, of the services and of the database server. */
async function playOn(services, workload, duration = seconds) {
  const spent = () => services.reduce((sum, { pid }) => sum + treeSeconds(pid), treeSeconds(services[0].databasePid));
  const before = spent();
  const results = await Promise.all(services.map((target) => generator.play(target, workload, connections / services.length, duration)));
  return {
    spent: spent() - before,
    requests: results.reduce((sum, result) => sum + result.requests, 0),
    failed: results.reduce((sum, result) => sum + result.failed, 0),
  };
}
