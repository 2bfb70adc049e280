// Starts and stops the processes of the bench, and reads their processor time and memory from the operating system.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const ticksPerSecond = 100;
const startWithinMs = 120_000;

/** Killed when the bench exits, for whatever reason. */
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

/** Seconds of processor time of a process with all its threads; NaN where the system does not provide them. */
export function cpuSeconds(pid) {
  const fields = statOf(pid);
  return fields === null ? Number.NaN : secondsOf(fields, [timeFields.user, timeFields.system]);
}

/**
 * Seconds of processor time of a process and its descendants, such as workers or the backends of a database server. The time of descendants
 * that have ended is counted by their parents.
 */
export function treeSeconds(pid) {
  const children = new Map();
  const stats = new Map();
  for (const name of processNames()) {
    const fields = statOf(name);
    if (fields === null) continue;
    stats.set(Number(name), fields);
    const parent = Number(fields[parentField]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  if (!stats.has(pid)) return Number.NaN;
  const sum = (id) =>
    (children.get(id) ?? []).reduce((total, child) => total + sum(child), secondsOf(stats.get(id), Object.values(timeFields)));
  return sum(pid);
}

export const parentOf = (pid) => Number(statOf(pid)?.[parentField] ?? Number.NaN);

/** The process that a thread belongs to. */
export function processOfThread(thread) {
  try {
    return Number(/^Tgid:\s+(\d+)/m.exec(readFileSync(`/proc/${thread}/status`, 'utf8'))?.[1] ?? Number.NaN);
  } catch {
    return Number.NaN;
  }
}

/** The name of a process's program; null when there is no such process on this machine. */
export function programOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return null;
  }
}

/** Places in /proc/<pid>/stat, counted from the state, which follows the name of the program. */
const parentField = 1;
const timeFields = { user: 11, system: 12, endedChildrenUser: 13, endedChildrenSystem: 14 };

function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(') ') + 2).split(' ');
  } catch {
    return null;
  }
}

const secondsOf = (fields, places) => places.reduce((sum, place) => sum + Number(fields[place]), 0) / ticksPerSecond;

function processNames() {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

export const threadsOf = (pid) => readdirSync(`/proc/${pid}/task`).map(Number);

/** Seconds of processor time of one thread, with nanosecond precision; 0 once it has ended. */
export function threadSeconds(thread) {
  try {
    return Number(readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
  } catch {
    return 0;
  }
}

/** Resident memory in MB: now, and at its peak. */
export function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    return { now: read('VmRSS'), peak: read('VmHWM') };
  } catch {
    return { now: Number.NaN, peak: Number.NaN };
  }
}
