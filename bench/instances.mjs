// Three instances of two workers each against one such instance, and against one process: requests per second of processor time, of the services and
// of the database server. The load is `shared` (the same clients in all, so a process of six has a sixth of those of a single one) or `each` (as many
// clients per process, as when instances are added because there are more clients). Processes that share a few cores cost each other something
// whatever they run, caches and switches, so the bare handler is played the same way.
// `npm run bench -- instances`; INSTANCES_VENDORS=postgres,mysql selects vendors, INSTANCES_WORKLOADS=a,c,f workloads, INSTANCES_LOADS=shared,each loads,
// INSTANCES_ROUNDS, INSTANCES_SECONDS and INSTANCES_WARM_UP how long it takes, INSTANCES_CONNECTIONS the clients of all six processes, and
// INSTANCES_POOL the connections of each process to the database; all fourteen processes together have to stay below the server's limit.

import { openDatabase, titles } from './databases.mjs';
import { openGenerator } from './generator.mjs';
import { median } from './play.mjs';
import { treeSeconds } from './processes.mjs';
import { setUp } from './setup.mjs';
import { startBare, startTain } from './targets.mjs';
import { workloads } from './workloads.mjs';

/** The least ratio to one instance. */
const aim = 0.9;
const connections = Number(process.env.INSTANCES_CONNECTIONS ?? 144);
const most = 6;
const played = (process.env.INSTANCES_WORKLOADS ?? 'a,c,f').split(',');
const loads = (process.env.INSTANCES_LOADS ?? 'shared,each').split(',');
const poolSize = process.env.INSTANCES_POOL ?? '4';
const rounds = Number(process.env.INSTANCES_ROUNDS ?? 7);
const seconds = Number(process.env.INSTANCES_SECONDS ?? 4);
/** Of each process, before anything is measured. */
const warmUpRequests = Number(process.env.INSTANCES_WARM_UP ?? 22_000);
const vendors = (process.env.INSTANCES_VENDORS ?? 'postgres,mysql').split(',');

const generator = openGenerator();
for (const vendor of vendors) await measure(vendor);
generator.close();

async function measure(vendor) {
  const database = await openDatabase(vendor, 1);
  const all = [];
  const start = async (starter, env) => {
    const service = await starter({ name: `target-${all.length}`, database, env: { POOL_SIZE: poolSize, ...env } });
    all.push(service);
    return service;
  };
  try {
    const instances = [await start(startTain, { WORKERS: '2' })];
    await setUp(instances[0].url);
    const alone = await start(startTain, { WORKERS: '1' });
    while (instances.length < 3) instances.push(await start(startTain, { WORKERS: '2' }));
    const bare = [];
    while (bare.length < most) bare.push(await start(startBare, {}));
    const bareAlone = await start(startBare, {});
    const sides = {
      three: { title: '3 instances × 2 workers', services: instances, processes: 6 },
      one: { title: 'one instance of 2 workers', services: instances.slice(0, 1), processes: 2 },
      alone: { title: 'one process', services: [alone], processes: 1 },
      bareSix: { title: 'bare, 6 processes', services: bare, processes: 6 },
      bareTwo: { title: 'bare, 2 processes', services: bare.slice(0, 2), processes: 2 },
      bareAlone: { title: 'bare, one process', services: [bareAlone], processes: 1 },
    };
    for (const workload of played) for (const load of loads) await compare(vendor, workload, load, sides);
  } finally {
    for (const service of all) await service.stop();
    await database.close({ keep: false });
  }
}

async function compare(vendor, workload, load, sides) {
  const names = Object.keys(sides);
  for (const name of names) await warmUp(sides[name], workload, load);
  const samples = [];
  for (let round = 0; round < rounds; round += 1) {
    const sample = {};
    for (const name of names) sample[name] = await playOn(sides[name], workload, load);
    samples.push(sample);
  }
  const rate = ({ requests, service, database }) => requests / (service + database);
  const ratio = (many, few) => median(samples.map((sample) => rate(sample[many]) / rate(sample[few])));
  const failed = samples.flatMap((sample) => Object.values(sample)).reduce((sum, result) => sum + result.failed, 0);
  console.log(`\n${titles[vendor]}, ${workload} (${workloads[workload]}), load ${load}: requests per processor second; ${failed} failed`);
  for (const name of names) {
    const of = (figure) => median(samples.map((sample) => figure(sample[name]))).toFixed(0);
    const each = (part) => of((sample) => (sample[part] / sample.requests) * 1e6);
    console.log(
      `  ${sides[name].title}: ${of(rate)} (${each('service')} us of the service and ${each('database')} us of the database each)`,
    );
  }
  const kept = { one: ratio('three', 'one'), alone: ratio('three', 'alone') };
  const bare = { one: ratio('bareSix', 'bareTwo'), alone: ratio('bareSix', 'bareAlone') };
  console.log(`  three instances keep ${kept.one.toFixed(2)} of one instance (aim ${aim}; bare ${bare.one.toFixed(2)}),`);
  console.log(`  and ${kept.alone.toFixed(2)} of one process (bare ${bare.alone.toFixed(2)})`);
  if (!(kept.one >= aim) || failed > 0) process.exitCode = 1;
}

/**
 * V8 compiles what runs often, anew in each process, and a process has its pace only after that. Six processes share the requests, so in the
 * same time each of them is a sixth as far: they warm up by requests, not by time.
 */
async function warmUp(side, workload, load) {
  for (let requests = 0; requests < warmUpRequests * side.processes; ) requests += (await playOn(side, workload, load)).requests;
}

/** The clients are spread over the services evenly. Processor time in seconds, of the services and of the database server. */
async function playOn({ services, processes }, workload, load, duration = seconds) {
  const clients = load === 'each' ? (connections / most) * processes : connections;
  const spent = () => [services.reduce((sum, { pid }) => sum + treeSeconds(pid), 0), treeSeconds(services[0].databasePid)];
  const before = spent();
  const results = await Promise.all(services.map((target) => generator.play(target, workload, clients / services.length, duration)));
  const after = spent();
  return {
    service: after[0] - before[0],
    database: after[1] - before[1],
    requests: results.reduce((sum, result) => sum + result.requests, 0),
    failed: results.reduce((sum, result) => sum + result.failed, 0),
  };
}
