// The program of a script process: it runs one script after the other. Only here is the engine for scripts loaded, so that what breaks out of it
// finds a process without environment and without anything of the service, which kills it.

import { runCode } from './run-code.js';
import type { ScriptJob, ScriptResult } from './script-job.js';

process.on('message', (job: ScriptJob) => {
  void runCode(job)
    .catch((error: unknown): ScriptResult => ({ kind: 'failed', reason: error instanceof Error ? error.message : 'It broke.', said: [] }))
    .then((result) => process.send?.(result));
});
// The service has ended.
process.on('disconnect', () => process.exit());
