// Measures the time from the start of the process to its first answer on an existing database, and its memory at rest. Aims: under 0.8 s,
// under 110 MB.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = join(fileURLToPath(new URL('../', import.meta.url)), 'dist', 'main.js');
const rounds = 5;
const aims = { startMs: 800, restMb: 110 };

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const residentMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;

async function startOnce(folder, port) {
  const started = performance.now();
  const child = spawn(process.execPath, [main, 'start'], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: String(port), LOG_LEVEL: 'error' },
    stdio: 'ignore',
  });
  for (;;) {
    const status = await fetch(`http://127.0.0.1:${port}/server/info`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) break;
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    await sleep(5);
  }
  const ms = performance.now() - started;
  await sleep(2000);
  const mb = residentMb(child.pid);
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { ms, mb };
}

const folder = mkdtempSync(join(tmpdir(), 'tain_bench_'));
try {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  await startOnce(folder, port);
  const results = [];
  for (let round = 0; round < rounds; round += 1) results.push(await startOnce(folder, port));
  const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  const ms = median(results.map((result) => result.ms));
  const mb = median(results.map((result) => result.mb));
  console.log(`start to first answer: ${ms.toFixed(0)} ms (median of ${rounds}; aim ${aims.startMs})`);
  console.log(`resident memory at rest: ${mb.toFixed(0)} MB (aim ${aims.restMb})`);
  if (ms > aims.startMs || mb > aims.restMb) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
