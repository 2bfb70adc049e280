// Three instances of two workers each against one instance of one: requests per second of processor time, with the same number of connections in all.
// What instances cost each other shows in it, however many cores there are. Whether it is because each worker has fewer connections shows the play of
// one instance with the connections of one of the six workers. `npm run bench -- instances`; INSTANCES_VENDORS=postgres,mysql
// selects vendors, INSTANCES_ROUNDS and INSTANCES_SECONDS how long it takes.

import { openDatabase, titles } from './databases.mjs';
import { openGenerator } from './generator.mjs';
import { median } from './play.mjs';
import { treeSeconds } from './processes.mjs';
import { setUp } from './setup.mjs';
import { startTain } from './targets.mjs';
import { workloads } from './workloads.mjs';

/** The least ratio to one instance. */
const aim = 0.9;
const connections = 24;
const played = ['a', 'c', 'f'];
const rounds = Number(process.env.INSTANCES_ROUNDS ?? 7);
const seconds = Number(process.env.INSTANCES_SECONDS ?? 4);
const vendors = (process.env.INSTANCES_VENDORS ?? 'postgres,mysql').split(',');

const generator = openGenerator();
for (const vendor of vendors) await measure(vendor);
generator.close();

async function measure(vendor) {
  const database = await openDatabase(vendor, 1);
  const all = [];
  const start = async (workers) => {
    const service = await startTain({ name: `tain-${all.length}`, database, env: { WORKERS: String(workers) } });
    all.push(service);
    return service;
  };
  try {
    const one = [await start(1)];
    await setUp(one[0].url);
    const three = [await start(2), await start(2), await start(2)];
    for (const workload of played) await compare(vendor, workload, one, three);
  } finally {
    for (const service of all) await service.stop();
    await database.close({ keep: false });
  }
}

async function compare(vendor, workload, one, three) {
  const samples = [];
  // Warms up: each of the six workers needs as many requests as the single one.
  for (const [services, times] of [
    [one, 2],
    [three, 12],
  ])
    await playOn(services, workload, times * seconds);
  for (let round = 0; round < rounds; round += 1)
    samples.push({
      one: await playOn(one, workload),
      few: await playOn(one, workload, seconds, connections / 6),
      three: await playOn(three, workload),
    });
  const perSecond = (which, cost) => median(samples.map((sample) => sample[which].requests / cost(sample[which])));
  const ratioBy = (cost, which = 'one') =>
    median(samples.map((sample) => sample.three.requests / cost(sample.three) / (sample[which].requests / cost(sample[which]))));
  const whole = ({ service, database }) => service + database;
  const own = ({ service }) => service;
  const ratio = ratioBy(whole);
  const failed = samples.reduce((sum, sample) => sum + sample.one.failed + sample.few.failed + sample.three.failed, 0);
  console.log(
    `${titles[vendor]}, ${workload} (${workloads[workload]}): ${perSecond('three', whole).toFixed(0)} requests per processor second with 3 instances × 2 workers, ` +
      `${perSecond('one', whole).toFixed(0)} with one instance: ${ratio.toFixed(2)} × (aim ≥ ${aim}); of the service alone ` +
      `${perSecond('three', own).toFixed(0)} and ${perSecond('one', own).toFixed(0)}: ${ratioBy(own).toFixed(2)} ×; ` +
      `with as many connections for each worker ${ratioBy(whole, 'few').toFixed(2)} ×, of the service alone ${ratioBy(own, 'few').toFixed(2)} ×; ${failed} failed`,
  );
  if (!(ratio >= aim) || failed > 0) process.exitCode = 1;
}

/** The connections are spread over the services evenly. Processor time in seconds, of the services and of the database server. */
async function playOn(services, workload, duration = seconds, clients = connections) {
  const spent = () => services.reduce((sum, { pid }) => sum + treeSeconds(pid), 0);
  const inDatabase = () => treeSeconds(services[0].databasePid);
  const [service, database] = [spent(), inDatabase()];
  const results = await Promise.all(services.map((target) => generator.play(target, workload, clients / services.length, duration)));
  return {
    service: spent() - service,
    database: inDatabase() - database,
    requests: results.reduce((sum, result) => sum + result.requests, 0),
    failed: results.reduce((sum, result) => sum + result.failed, 0),
  };
}
