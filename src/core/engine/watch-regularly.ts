// Repeats a look until stopped. One look at a time; a failed one is told and the next comes all the same.

export function watchRegularly(look: () => Promise<void>, everyMs: number, onError: (error: unknown) => void): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | null = null;
  const wait = (): void => {
    if (stopped) return;
    timer = setTimeout(() => void look().catch(tell).finally(wait), everyMs);
    timer.unref();
  };
  const tell = (error: unknown): void => {
    if (!stopped) onError(error);
  };
  wait();
  return () => {
    stopped = true;
    if (timer !== null) clearTimeout(timer);
  };
}
