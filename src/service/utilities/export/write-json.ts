// The bare list, without `data`: the texts go out as the database wrote them.

import type { Batches } from './batches.js';

export async function* writeJson(batches: Batches): AsyncGenerator<string> {
  let separator = '[';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + batch.join(',');
    separator = ',';
  }
  yield separator === ',' ? ']' : '[]';
}
