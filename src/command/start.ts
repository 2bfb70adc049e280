// `tain start [database]`: listens, waits for the database if it must, says where to go from here, and stops when told to.

import type { Siblings } from '../siblings.js';
import { type Config, createService } from '../tain.js';
import type { CommandInput } from './command.js';
import { letNurseryGrow } from './nursery.js';
import { stopOnSignals } from './stop-on-signals.js';
import { welcome } from './welcome.js';
import { withoutPassword } from './without-password.js';

export async function start({ config, operands }: CommandInput): Promise<void> {
  const [database] = operands;
  const chosen: Config = database === undefined ? config : { ...config, databaseUrl: database };
  if (chosen.workers > 1) {
    const { isPrimary, isFirstWorker, serveWithWorkers } = await import('./serve-with-workers.js');
    if (isPrimary) return serveWithWorkers(chosen);
    const { openSiblings } = await import('./worker-siblings.js');
    return serve(chosen, await openSiblings(), isFirstWorker);
  }
  await serve(chosen, null, true);
}

async function serve(config: Config, siblings: Siblings | null, telling: boolean): Promise<void> {
  const service = await createService(config, siblings);
  stopOnSignals(() => service.close());
  const address = await service.listen();
  const { administrator } = await service.ready({ onRetry: tellOnce(config) });
  letNurseryGrow();
  if (telling || administrator !== null) console.log(welcome({ config, address, administrator }));
}

/** The first failure is told; the tries after it are silent until it works. */
function tellOnce(config: Config): (error: unknown) => void {
  let told = false;
  return (error) => {
    if (told) return;
    told = true;
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    console.error(`tain: the database ${withoutPassword(config.databaseUrl)} cannot be reached (${reason}); trying again until it can`);
  };
}
