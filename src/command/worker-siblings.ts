// A worker's side of WORKERS > 1: sends questions to the primary process and handles its notices of changes by other workers.

import type { Siblings } from '../compose/siblings.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

type Question<M = FromWorker> = M extends { readonly id: number } ? Omit<M, 'id'> : never;

/** Resolves when this process gets notices, so that what it reads afterwards cannot become outdated unnoticed. */
export async function openSiblings(): Promise<Siblings> {
  const waiting = new Map<number, (value: number | null) => void>();
  let asked = 0;
  let missed = false;
  let published: (text: string) => void = () => undefined;
  let notice = async (): Promise<void> => {
    missed = true;
  };

  const send = (message: FromWorker): void => void process.send?.(message);
  const sendAndWait = (message: FromWorker): Promise<void> =>
    new Promise((resolve) => {
      if (process.send === undefined) resolve();
      else process.send(message, undefined, undefined, () => resolve());
    });
  const ask = (question: Question): Promise<number | null> =>
    new Promise((resolve) => {
      asked += 1;
      waiting.set(asked, resolve);
      send({ ...question, id: asked });
    });

  process.on('message', (message: ToWorker) => {
    if (message.kind === 'notice') {
      // A failed check is confirmed, too: the database is away for all processes, and the periodic check follows.
      void notice()
        .catch(() => undefined)
        .finally(() => send({ kind: 'noticed', notice: message.notice }));
      return;
    }
    if (message.kind === 'published') {
      published(message.text);
      return;
    }
    waiting.get(message.id)?.(message.value);
    waiting.delete(message.id);
  });
  await ask({ kind: 'subscribe' });
  return {
    async announceChange() {
      await ask({ kind: 'changed' });
    },
    async onChange(act) {
      notice = act;
      if (missed) await act();
    },
    countAttempt: (name, key) => ask({ kind: 'attempt', name, key }),
    tally: async (name, key) => (await ask({ kind: 'tally', name, key })) ?? 0,
    publish: (text) => sendAndWait({ kind: 'publish', text }),
    onPublished(act) {
      published = act;
    },
  };
}
