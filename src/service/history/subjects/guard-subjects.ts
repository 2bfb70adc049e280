// Hooks on writes of comments and notifications, which name the item they are about (their subject). The caller must be able to read the
// item; a hidden item and a missing one give the same error. A notification may outlive its item, so callers without item rules may name
// a missing one.

import { type Caller, lookUpCollection, rowRules, serviceCaller } from '../../../core/access/view.js';
import type { Reader } from '../../../core/engine/read/reader.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { Hooks, WriteEvent } from '../../../core/engine/write/hooks.js';
import { forbidden } from '../../../core/errors/service-error.js';
import { parseQueryObject } from '../../../core/query/parse/parse-query-object.js';
import { defaultQueryLimits } from '../../../core/query/query.js';
import { groupBy } from '../../../core/util/group-by.js';
import { itemText } from './item-text.js';

type SubjectReader = Pick<Reader, 'keys' | 'objects'>;
type Values = ReadonlyMap<string, unknown>;

interface Subject {
  readonly collection: string;
  readonly item: string;
}

export function guardSubjects(hooks: Hooks, reader: SubjectReader): void {
  for (const collection of ['service_comments', 'service_notifications']) {
    const mayBeMissing = collection === 'service_notifications';
    hooks.before(collection, 'create', async ({ work, items }) => {
      const subjects = items.flatMap(({ values }) => subjectOf(values));
      await requireReadable(reader, work, subjects, mayBeMissing);
      return undefined;
    });
    hooks.before(collection, 'update', async (event) => {
      await requireReadable(reader, event.work, await changedSubjects(reader, event), mayBeMissing);
      return undefined;
    });
  }
}

function subjectOf(values: Values): readonly Subject[] {
  const [collection, item] = [values.get('collection') ?? null, values.get('item') ?? null];
  return collection === null || item === null ? [] : [{ collection: String(collection), item: String(item) }];
}

/** The subjects after the update: sent values, completed by the stored ones. */
async function changedSubjects(reader: SubjectReader, { work, items, collection }: WriteEvent): Promise<readonly Subject[]> {
  const changed = items.filter(({ values }) => values.has('collection') || values.has('item'));
  if (changed.length === 0) return [];
  const present = await reader.objects({ ...work, caller: serviceOf(work) }, collection.name, {
    fields: ['id', 'collection', 'item'],
    filter: { id: { _in: changed.map(({ key }) => key) } },
    limit: -1,
  });
  const byKey = new Map(present.map((row) => [String(row['id']), row]));
  return changed.flatMap(({ key, values }) => subjectOf(new Map([...Object.entries(byKey.get(String(key)) ?? {}), ...values])));
}

const serviceOf = ({ caller }: TransactionWork): Caller => serviceCaller(caller.view.schema);

/** Throws FORBIDDEN if the caller may not read one of the subjects. Needs one read per collection. */
async function requireReadable(
  reader: SubjectReader,
  work: TransactionWork,
  subjects: readonly Subject[],
  mayBeMissing: boolean,
): Promise<void> {
  const all = parseQueryObject({ limit: -1 }, defaultQueryLimits);
  for (const [name, some] of groupBy(subjects, ({ collection }) => collection)) {
    lookUpCollection(work.caller.view, name, 'read');
    if (mayBeMissing && rowRules(work.caller.view, name, 'read') === 'all') continue;
    const items = new Set(some.map(({ item }) => item));
    const found = new Set((await reader.keys(work, name, all, [...items])).map(itemText));
    if ([...items].some((item) => !found.has(item))) throw forbidden();
  }
}
