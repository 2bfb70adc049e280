// Processes of the bench: starting and ending them, and what the operating system tells of their time and memory.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const ticksPerSecond = 100;
const startWithinMs = 120_000;

/** Whatever ends the bench ends what it started. */
const started = new Set();
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a program and waits until `url` answers below 500. */
export async function startProcess({ command, args, cwd, env, url, headers = {} }) {
  let output = '';
  const child = spawn(command, args, { cwd, env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  started.add(child);
  child.once('exit', () => started.delete(child));
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-4000);
    });
  const stop = () => stopProcess(child);
  const until = performance.now() + startWithinMs;
  while (!(await answers(url, headers))) {
    if (child.exitCode !== null || performance.now() > until) {
      await stop();
      throw new Error(`${command} ${args.join(' ')} did not start:\n${output}`);
    }
    await sleep(10);
  }
  return { pid: child.pid, stop, output: () => output };
}

const answers = (url, headers) =>
  fetch(url, { headers }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status < 500;
    },
    () => false,
  );

async function stopProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), 12_000);
  await ended;
  clearTimeout(killer);
}

/** Seconds of processor time; NaN where the system does not tell. */
export function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return Number.NaN;
  }
}

export const threadsOf = (pid) => readdirSync(`/proc/${pid}/task`).map(Number);

/** Seconds of processor time of one thread, to the nanosecond; 0 once it has ended. */
export function threadSeconds(thread) {
  try {
    return Number(readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
  } catch {
    return 0;
  }
}

/** Resident memory in MB, all threads: now, and the most it ever was. */
export function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    return { now: read('VmRSS'), peak: read('VmHWM') };
  } catch {
    return { now: Number.NaN, peak: Number.NaN };
  }
}
