// A worker's side of WORKERS > 1: questions to the first process, and its notices of what others changed.

import type { Siblings } from '../siblings.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

type Question<M = FromWorker> = M extends { readonly id: number } ? Omit<M, 'id'> : never;

/** Resolves when this process is told of changes: what it reads afterwards cannot be outdated unnoticed. */
export async function openSiblings(): Promise<Siblings> {
  const waiting = new Map<number, (resetsAt: number | null) => void>();
  let asked = 0;
  let missed = false;
  let notice = async (): Promise<void> => {
    missed = true;
  };

  const say = (message: FromWorker): void => void process.send?.(message);
  const ask = (question: Question): Promise<number | null> =>
    new Promise((resolve) => {
      asked += 1;
      waiting.set(asked, resolve);
      say({ ...question, id: asked });
    });

  process.on('message', (message: ToWorker) => {
    if (message.kind === 'notice') {
      // A look that failed is as good as none was needed: the regular one comes, and the database is away for everybody.
      void notice()
        .catch(() => undefined)
        .finally(() => say({ kind: 'noticed', notice: message.notice }));
      return;
    }
    waiting.get(message.id)?.(message.resetsAt);
    waiting.delete(message.id);
  });
  await ask({ kind: 'here' });
  return {
    async tellChange() {
      await ask({ kind: 'changed' });
    },
    async onChange(act) {
      notice = act;
      if (missed) await act();
    },
    countAttempt: (name, key) => ask({ kind: 'attempt', name, key }),
  };
}
