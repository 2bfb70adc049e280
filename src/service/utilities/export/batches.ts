// What every format is written from: the JSON texts of the items, some at a time.

export type Batches = AsyncIterable<readonly string[]>;
