// Runs scripts in processes of their own, a few at once: started when the first script comes, kept for a while when idle, killed when a script
// takes longer than it may.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { serviceError } from '../../../core/errors/service-error.js';
import { maxText, type ScriptJob, type ScriptResult } from './script-job.js';

export interface ScriptPool {
  /** Resolves to the result of the script; rejects when it fails, takes too long, or too many wait. */
  run(job: ScriptJob): Promise<ScriptResult>;
  /** Ends all processes. */
  close(): void;
}

const maxProcesses = 2;
const maxWaiting = 200;
const idleMs = 20_000;
/** The engine stops a script itself; a process that does not, or cannot begin, is killed after this. */
const graceMs = 1_000;
/** The start of a process is not the script's time. */
const startMs = 15_000;

export function openScriptPool(): ScriptPool {
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const all = new Set<ChildProcess>();
  const waiting: (() => void)[] = [];
  let busy = 0;

  const take = (): ChildProcess => {
    const [child = startProcess()] = idle.keys();
    clearTimeout(idle.get(child));
    idle.delete(child);
    all.add(child);
    return child;
  };
  const putBack = (child: ChildProcess): void => {
    if (child.killed || child.exitCode !== null || !child.connected) {
      all.delete(child);
      return;
    }
    const end = (): void => {
      idle.delete(child);
      all.delete(child);
      child.kill('SIGKILL');
    };
    idle.set(child, setTimeout(end, idleMs).unref());
  };
  const turn = async (): Promise<void> => {
    if (busy >= maxProcesses) {
      if (waiting.length >= maxWaiting) throw serviceError('SERVICE_UNAVAILABLE', 'Too many scripts wait.', { service: 'script' });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else busy += 1;
  };
  return {
    async run(job) {
      if (job.code.length > maxText || job.data.length > maxText)
        throw serviceError('CONTENT_TOO_LARGE', `A script and its data may have ${maxText} characters each.`);
      await turn();
      const child = take();
      try {
        return await ask(child, job);
      } finally {
        putBack(child);
        const next = waiting.shift();
        if (next === undefined) busy -= 1;
        else next();
      }
    },
    close() {
      for (const child of all) child.kill('SIGKILL');
    },
  };
}

function ask(child: ChildProcess, job: ScriptJob): Promise<ScriptResult> {
  return new Promise((resolve) => {
    const finish = (result: ScriptResult): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit).off('error', onExit);
      resolve(result);
    };
    const kill = (reason: string): void => {
      child.kill('SIGKILL');
      finish({ kind: 'failed', reason, said: [] });
    };
    const onMessage = (result: unknown): void => finish(result as ScriptResult);
    const onExit = (): void => kill('The script broke its process.');
    const isNew = !known.has(child);
    known.add(child);
    const timer = setTimeout(
      () => kill(`The script takes longer than ${job.timeoutMs / 1000} s.`),
      job.timeoutMs + graceMs + (isNew ? startMs : 0),
    );
    child.on('message', onMessage).on('exit', onExit).on('error', onExit);
    child.send(job, (error) => (error === null ? undefined : onExit()));
  });
}

/** Processes that have had a job before. */
const known = new WeakSet<ChildProcess>();

function startProcess(): ChildProcess {
  const fromSource = import.meta.url.endsWith('.ts');
  const program = new URL(fromSource ? './script-process-from-source.mjs' : './script-process.js', import.meta.url);
  const child = fork(fileURLToPath(program), [], {
    env: {},
    execArgv: ['--max-old-space-size=64', ...(fromSource ? [] : walls())],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Neither the process nor its channel keeps the service from ending.
  child.unref();
  child.channel?.unref();
  return child;
}

/** Where Node has permissions: no file may be written, no process and no thread started. */
const walls = (): readonly string[] =>
  process.allowedNodeEnvironmentFlags.has('--permission') ? ['--permission', '--allow-fs-read=*'] : [];
