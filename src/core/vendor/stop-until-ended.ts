// A request to stop a statement travels beside it, over another connection: it may come before the statement, or between its parts, and is lost then,
// while the statement goes on for as long as it likes. So it is asked for again until the statement has ended.

const firstPauseMs = 100;
const longestPauseMs = 2_000;

/** Resolves when `running` has settled and no request to stop it is under way. `stop` never rejects. */
export async function stopUntilEnded(running: Promise<unknown>, stop: () => Promise<void>): Promise<void> {
  const ended = running.then(
    () => 'ended' as const,
    () => 'ended' as const,
  );
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    await stop();
    let timer: NodeJS.Timeout | undefined;
    const pause = new Promise<'paused'>((resolve) => {
      timer = setTimeout(() => resolve('paused'), pauseMs);
    });
    const first = await Promise.race([ended, pause]);
    clearTimeout(timer);
    if (first === 'ended') return;
  }
}
