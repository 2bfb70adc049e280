// Sends all that a client may ask of a database that was not designed for the service, and lists failures. It takes any running service:
//
//     const failures = await sweepService(service);
//     expect(failures).toEqual([]);
//
// For each collection and each of its fields, over REST and GraphQL: each filter operator with a value that the field holds, sort in both
// directions, grouping, search, every aggregate; per relation one nested read; per field one write and its reversal. The sweep fails on
//   - a status of 500 or more, or an error with the code of one (GraphQL),
//   - a refused operator whose message does not name both field and operator,
//   - `_eq` and `_in` that do not find the item their operand was read from,
//   - a written value that reads back differently, and a value that cannot be written back as it was read.
// To test a new kind of database, add a fixture to test/fixtures, start a service on it and call the sweep. `collections` narrows
// it, `writes: false` leaves the data alone, `keeps` names fields (`collection.field`) that writes must leave alone, with a reason.

import type { Api } from './api.js';
import { sweepGraphql } from './sweep-graphql.js';
import { sweepReads } from './sweep-reads.js';
import { describeCollections, oncePerKind } from './sweep-targets.js';
import { sweepWrites } from './sweep-writes.js';

export interface SweepOptions {
  /** Only these; by default all except system collections. */
  readonly collections?: readonly string[];
  readonly writes?: boolean;
  /** Plays one field of each kind of column instead of all. */
  readonly oncePerKind?: boolean;
  /** Fields that cannot be written, by `collection.field`, each with the reason. */
  readonly keeps?: Readonly<Record<string, string>>;
}

/** One line per failure. */
export async function sweepService({ api }: { readonly api: Api }, options: SweepOptions = {}): Promise<readonly string[]> {
  const failures: string[] = [];
  const targets = await describeCollections(api, options.collections ?? null);
  for (const target of options.oncePerKind === true ? oncePerKind(targets) : targets) {
    failures.push(...(await sweepReads(api, target)), ...(await sweepGraphql(api, target)));
    if (options.writes !== false) failures.push(...(await sweepWrites(api, target, options.keeps ?? {})));
  }
  return failures;
}
