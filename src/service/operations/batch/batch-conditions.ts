// `if_match` of an operation in a batch: the change is made only if its items are as the client saw them. A condition is the entity tag of
// one item, or values of fields, for lists too, whose reads have no tags. The items are locked before they are compared.

import { isDeepStrictEqual } from 'node:util';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import { invalidPayload, serviceError } from '../../../core/errors/service-error.js';
import { escapeName } from '../../../core/query/escape-name.js';
import { parseQueryObject } from '../../../core/query/parse/parse-query-object.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import { collectionOf, type ItemDeps } from '../items/item-target.js';

type Values = Readonly<Record<string, unknown>>;

/** `tag`: for `If-Match`; `all`: the same values for every item; `each`: one entry per item, in their order, null for those without a condition. */
export type Condition =
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'all'; readonly values: Values }
  | { readonly kind: 'each'; readonly values: readonly (Values | null)[] };

const wanted = '"if_match" has to be an entity tag, an object of field values, or a list of such objects, one for each item.';

/** Null: the operation has no condition. */
export function readCondition(given: unknown): Condition | null {
  if (given === null || given === undefined) return null;
  if (typeof given === 'string') return { kind: 'tag', tag: given };
  if (isPlainObject(given)) return { kind: 'all', values: given };
  if (Array.isArray(given) && given.every((entry) => entry === null || isPlainObject(entry))) return { kind: 'each', values: given };
  throw invalidPayload(wanted);
}

/** The most items that an error lists. */
const mostShown = 100;

/** Throws PRECONDITION_FAILED with the present values of the items that differ. Missing items are left to the write, which refuses them. */
export async function checkValues(
  deps: ItemDeps,
  work: TransactionWork,
  name: string,
  keys: readonly unknown[],
  condition: Exclude<Condition, { kind: 'tag' }>,
): Promise<void> {
  if (keys.length === 0) throw invalidPayload('"if_match" needs an operation that names the keys of its items.');
  if (condition.kind === 'each' && condition.values.length !== keys.length)
    throw invalidPayload(`"if_match" has ${condition.values.length} entries for ${keys.length} items.`);
  const expected = (index: number): Values => (condition.kind === 'all' ? condition.values : condition.values[index]) ?? {};
  const fields = [...new Set(keys.flatMap((_, index) => Object.keys(expected(index))))];
  if (fields.length === 0) return;
  await deps.writer.lock(work, name, keys);
  const primaryKey = collectionOf(work.caller, name)?.primaryKey ?? [];
  const parsed = parseQueryObject({ fields: [...new Set([...primaryKey, ...fields])].map(escapeName), limit: -1 }, deps.limits);
  const { items } = await deps.reader.items(work, name, parsed, keys);
  const present = new Map(
    (JSON.parse(`[${items}]`) as readonly Values[]).map((item) => [textOf(primaryKey.map((part) => item[part])), item]),
  );
  const differing = keys.flatMap((key, index) => {
    const item = present.get(textOf(Array.isArray(key) ? key : [key]));
    const differs = item !== undefined && Object.entries(expected(index)).some(([field, value]) => !isDeepStrictEqual(item[field], value));
    return differs ? [item] : [];
  });
  if (differing.length === 0) return;
  const message = `${differing.length === 1 ? 'An item is' : `${differing.length} items are`} not as "if_match" says any more.`;
  throw serviceError('PRECONDITION_FAILED', message, { collection: name, items: differing.slice(0, mostShown) });
}

const textOf = (parts: readonly unknown[]): string => JSON.stringify(parts.map(String));
