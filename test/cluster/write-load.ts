// Writes without pause and remembers which of them were acknowledged, so that a test can look for them after a failure.

import type { Api } from '../harness/api.js';

export interface WriteLoad {
  /** The texts of the acknowledged writes. */
  readonly acknowledged: readonly string[];
  /** Answers other than 200 and 503. */
  readonly odd: readonly string[];
  /** How many were answered by 503. */
  readonly refused: number;
  stop(): Promise<void>;
}

let loads = 0;

/** Creates items with one field, `text`. Requests that are cut off count as not acknowledged. */
export function startWriteLoad(api: Api, collection: string, writers = 4): WriteLoad {
  const acknowledged: string[] = [];
  const odd: string[] = [];
  let running = true;
  let refused = 0;
  loads += 1;
  // No text comes twice, also where several loads write to one collection.
  const run = loads;
  const write = async (writer: number): Promise<void> => {
    for (let count = 0; running; count += 1) {
      const text = `${run}-${writer}-${count}`;
      const answer = await api.post(`/items/${collection}`, { text });
      if (answer.status === 200) acknowledged.push(text);
      else if (answer.status === 503) refused += 1;
      else odd.push(`${answer.status} ${answer.text}`);
    }
  };
  const writing = Promise.all(Array.from({ length: writers }, (_entry, writer) => write(writer)));
  return {
    acknowledged,
    odd,
    get refused() {
      return refused;
    },
    async stop() {
      running = false;
      await writing;
    },
  };
}

/** The acknowledged writes that are not among these rows. */
export const lostOf = (load: WriteLoad, rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] => {
  const kept = new Set(rows.map((row) => row['text']));
  return load.acknowledged.filter((text) => !kept.has(text));
};
