// SIGTERM and SIGINT: accepted requests finish and the process ends with 0; what does not finish in time is ended.

const graceMs = 9000;

export function stopOnSignals(close: () => Promise<void>): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    // A second Ctrl-C means now.
    if (stopping) process.exit(signal === 'SIGINT' ? 130 : 143);
    stopping = true;
    // A statement running in SQLite cannot be interrupted from here: only ending the process is sure.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs).unref();
    await close().catch((error: unknown) => console.error(`tain: ${String(error)}`));
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, (name) => void stop(name));
}
