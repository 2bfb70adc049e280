// YAML: every item is a list of one, and their texts one behind the other are the whole list.

import type { Batches } from './batches.js';

export async function* writeYaml(batches: Batches): AsyncGenerator<string> {
  const { stringify } = await import('yaml');
  let isEmpty = true;
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    isEmpty = false;
    yield batch.map((text) => stringify([JSON.parse(text)], { lineWidth: 0, aliasDuplicateObjects: false })).join('');
  }
  if (isEmpty) yield '[]\n';
}
