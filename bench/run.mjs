// `npm run bench` plays the workloads; `npm run bench -- cold-start` and other names run those measurements instead. See `--help`.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readOptions } from './options.mjs';

const measurements = ['bulk-create', 'cold-start', 'instances', 'introspection', 'realtime', 'realtime-idle', 'scaling'];

const options = readOptions(process.argv.slice(2));
const unknown = options.measurements.filter((name) => !measurements.includes(name));
if (unknown.length > 0) {
  console.error(`no measurement called ${unknown.join(', ')}; there are ${measurements.join(', ')}`);
  process.exit(2);
}

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const { status } = spawnSync(process.execPath, [pathOf('../scripts/start.cjs'), '--build-only'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

if (options.measurements.length === 0) await (await import('./play-workloads.mjs')).playWorkloads(options);
const env = { ...process.env, BENCH_VENDORS: options.vendors.join(','), BENCH_PEERS: options.peers ? 'on' : 'off' };
for (const name of options.measurements) {
  console.log(`\n== ${name}`);
  if (spawnSync(process.execPath, [pathOf(`${name}.mjs`)], { stdio: 'inherit', env }).status !== 0) process.exitCode = 1;
}
