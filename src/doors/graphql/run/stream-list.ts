// A long list as the whole answer, sent while it is read. What fails before the first items come is a failed field like any other; what
// fails later cuts the connection.

import type { RootTask } from '../compile/root-field.js';
import type { RunContext } from './run-context.js';

type List = Extract<RootTask, { kind: 'items' }>;

export const isLongList = ({ engines: { reader }, work }: RunContext, task: RootTask): task is List =>
  task.kind === 'items' && reader.isLong(work, task.collection, task.parsed);

/** Resolves when the first items are there. */
export async function streamList(run: RunContext, key: string, { collection, parsed }: List): Promise<AsyncIterable<string>> {
  const work = { ...run.work, signal: run.request.context.signal };
  const batches = run.engines.reader.stream(work, collection, parsed)[Symbol.asyncIterator]();
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
