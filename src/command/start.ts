// `tain start [database]`: listens, waits for the database if necessary, prints where to go from here, and stops on a signal.

import type { Siblings } from '../compose/siblings.js';
import { withoutPassword } from '../config.js';
import { DatabaseError } from '../core/vendor/database-error.js';
import { type Config, createService } from '../tain.js';
import type { CommandInput } from './command.js';
import { welcome } from './welcome.js';
import { releaseYoungGeneration } from './young-generation.js';

export async function start({ config, operands }: CommandInput): Promise<void> {
  const [database] = operands;
  const chosen: Config = database === undefined ? config : { ...config, databaseUrl: database };
  if (chosen.workers > 1) {
    const { isPrimary, isFirstWorker, isReplacement, serveWithWorkers } = await import('./serve-with-workers.js');
    if (isPrimary) return serveWithWorkers(chosen);
    const { openSiblings } = await import('./worker-siblings.js');
    return serve(chosen, { siblings: await openSiblings(), prints: isFirstWorker, readyFirst: isReplacement(chosen) });
  }
  await serve(chosen, { siblings: null, prints: true, readyFirst: false });
}

interface ServeOptions {
  readonly siblings: Siblings | null;
  /** Whether this process prints the welcome. */
  readonly prints: boolean;
  /** Listens only when it is ready, because other workers serve the address until then. */
  readonly readyFirst: boolean;
}

async function serve(config: Config, { siblings, prints, readyFirst }: ServeOptions): Promise<void> {
  const service = await createService(config, { siblings });
  stopOnSignals(() => service.close(), graceMs + config.drainTime);
  if (readyFirst) await service.ready({ onRetry: reportOnce(config) });
  const address = await service.listen();
  const { administrator, setupCode } = await service.ready({ onRetry: reportOnce(config) });
  releaseYoungGeneration();
  if (prints || administrator !== null) console.log(welcome({ config, address, administrator, setupCode }));
}

/** Prints the first reason for which the database cannot be used yet; the attempts after it are silent. */
function reportOnce(config: Config): (error: unknown) => void {
  let reported = false;
  return (error) => {
    if (reported) return;
    reported = true;
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    console.error(
      `tain: the database ${withoutPassword(config.databaseUrl)} ${stateOf(error)} (${reason}); trying again until that changes`,
    );
  };
}

function stateOf(error: unknown): string {
  const kind = error instanceof DatabaseError ? error.kind : 'unavailable';
  return kind === 'read-only' ? 'accepts no writes' : kind === 'full' ? 'has no room left' : 'does not answer';
}

const graceMs = 9000;

/** On SIGTERM and SIGINT, lets accepted requests finish and exits with 0. Kills the process when that takes longer than `mostMs`. */
function stopOnSignals(close: () => Promise<void>, mostMs: number): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    // A second signal ends the process at once.
    if (stopping) process.exit(signal === 'SIGINT' ? 130 : 143);
    stopping = true;
    // A statement that runs in SQLite cannot be interrupted from here; only SIGKILL ends it.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), mostMs).unref();
    await close().catch((error: unknown) => console.error(`tain: ${String(error)}`));
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, (name) => void stop(name));
}
