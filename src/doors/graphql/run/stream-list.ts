// Streams a long list that is the whole answer. A failure before the first items is answered like that of any field; a later one cuts the
// connection.

import type { RootTask } from '../compile/root-task.js';
import type { RunContext } from './run-context.js';

type List = Extract<RootTask, { kind: 'items' }>;

export const isLongList = ({ deps: { reader }, work }: RunContext, task: RootTask): task is List =>
  task.kind === 'items' && reader.isLong(work, task.collection, task.parsed);

/** Resolves with the first items. */
export async function streamList(run: RunContext, key: string, { collection, parsed }: List): Promise<AsyncIterable<string>> {
  const batches = run.deps.reader.stream(run.work, collection, parsed)[Symbol.asyncIterator]();
  return write(key, await batches.next(), batches);
}

async function* write(
  key: string,
  first: IteratorResult<readonly string[]>,
  batches: AsyncIterator<readonly string[]>,
): AsyncGenerator<string> {
  let separator = `{"data":{${JSON.stringify(key)}:[`;
  try {
    for (let step = first; !step.done; step = await batches.next()) {
      if (step.value.length === 0) continue;
      yield separator + step.value.join(',');
      separator = ',';
    }
    yield `${separator === ',' ? '' : separator}]}}`;
  } finally {
    await batches.return?.();
  }
}
