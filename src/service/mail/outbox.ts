// Sends mails in the background, a few at a time, so that a slow or unreachable mail server delays no request. The queue is bounded; mails
// that do not fit, or fail, are logged.

export interface Outbox<Letter> {
  add(letters: readonly Letter[]): void;
  /** Resolves when everything is sent, or after three seconds. */
  close(): Promise<void>;
}

export interface OutboxOptions<Letter> {
  readonly deliver: (letters: readonly Letter[]) => Promise<void>;
  readonly report: (error: unknown) => void;
  readonly maxWaiting?: number;
}

const atOnce = 100;
const patienceMs = 3_000;

export function openOutbox<Letter>({ deliver, report, maxWaiting = 1_000 }: OutboxOptions<Letter>): Outbox<Letter> {
  const waiting: Letter[] = [];
  let running: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    while (waiting.length > 0) await deliver(waiting.splice(0, atOnce)).catch(report);
    running = null;
  };
  return {
    add(letters) {
      const room = Math.max(0, maxWaiting - waiting.length);
      waiting.push(...letters.slice(0, room));
      if (letters.length > room) report(new Error(`${letters.length - room} mails were left out: ${maxWaiting} are waiting already`));
      if (waiting.length > 0) running ??= run();
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patienceMs);
      });
      await Promise.race([running, patience]);
      clearTimeout(timer);
      const left = waiting.splice(0).length;
      if (left > 0) report(new Error(`${left} mails were left out: the service ended before the mail server took them`));
    },
  };
}
