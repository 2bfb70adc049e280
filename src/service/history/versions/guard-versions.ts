// Hooks on writes of service_versions: the item of a version is checked when the version is created and fixed from then on; its content is
// changed only by the operation `save`.

import { isDeepStrictEqual } from 'node:util';
import { serviceCaller } from '../../../core/access/view.js';
import type { Hooks, WriteEvent } from '../../../core/engine/write/hooks.js';
import { refusal } from '../../../core/errors/refusals.js';
import { forbidden, invalidPayload } from '../../../core/errors/service-error.js';
import { isKeyOfItem } from '../../../core/query/version-key.js';
import { groupBy } from '../../../core/util/group-by.js';
import { tryParseJson } from '../../../core/util/try-parse-json.js';
import { findReadable, findVersioned, readWhole } from '../subjects/read-main.js';
import { hashMain } from './main-hash.js';
import { unprocessable, type VersionDeps } from './version.js';

const versions = 'service_versions';
const fixed = ['collection', 'item', 'hash', 'delta'];

type Values = ReadonlyMap<string, unknown>;

export function guardVersions(hooks: Hooks, deps: VersionDeps): void {
  hooks.before(versions, 'create', (event) => prepareVersions(deps, event));
  hooks.before(versions, 'update', (event) => refuseFixed(deps, event));
}

/** What is fixed may be sent back as it is, and is not written. */
async function refuseFixed({ own }: VersionDeps, { work, items }: WriteEvent): Promise<readonly Values[]> {
  const keys = items.filter(({ values }) => fixed.some((name) => values.has(name))).map(({ key }) => String(key));
  const inside = { ...work, caller: serviceCaller(work.caller.view.schema) };
  const query = { fields: ['id', ...fixed], filter: { id: { _in: keys } }, limit: -1 };
  const found = keys.length === 0 ? [] : await own.objects(inside, versions, query);
  const present = new Map(found.map((row) => [String(row['id']), row]));
  return items.map(({ key, values }) => {
    refuseMain(values);
    const row = present.get(String(key));
    const name = fixed.find(
      (candidate) => values.has(candidate) && !isDeepStrictEqual(asStored(values.get(candidate)), row?.[candidate] ?? null),
    );
    if (name !== undefined)
      throw invalidPayload(`"${name}" of a version cannot be changed; its content is saved with /versions/{id}/save.`);
    return new Map([...values].filter(([each]) => !fixed.includes(each)));
  });
}

/** JSON is written as text. */
const asStored = (value: unknown): unknown => (typeof value === 'string' && value.startsWith('{') ? tryParseJson(value) : value);

/** Checks new versions and adds the hash of their items. The number of reads depends on the number of collections, not of versions. */
async function prepareVersions(deps: VersionDeps, event: WriteEvent): Promise<readonly Values[]> {
  const hashes = new Map<Values, string>();
  for (const { values } of event.items) {
    refuseMain(values);
    if ((values.get('delta') ?? null) !== null) throw invalidPayload('The content of a version is saved with /versions/{id}/save.');
  }
  const created = event.items.map(({ values }) => values);
  for (const [name, some] of groupBy(created, (values) => textOf(values, 'collection')))
    for (const [values, hash] of await hashItems(deps, event, name, some)) hashes.set(values, hash);
  return created.map((values) => new Map([...values, ['hash', hashes.get(values)]]));
}

async function hashItems(
  deps: VersionDeps,
  { work }: WriteEvent,
  name: string,
  created: readonly Values[],
): Promise<readonly (readonly [Values, string])[]> {
  const collection = findVersioned(work.caller, name);
  if (!collection.versioning) throw unprocessable(refusal('unversioned', { collection: name }));
  const items = [...new Set(created.map((values) => textOf(values, 'item')))];
  const readable = await findReadable(deps.own, work, collection, items);
  if (items.some((item) => !readable.has(item))) throw forbidden();
  await refuseTaken(deps, work, name, created);
  const whole = await readWhole(deps.own, work, collection, items);
  return created.map((values) => {
    const item = textOf(values, 'item');
    return [values, hashMain(deps, collection, item, whole.get(item) ?? '')];
  });
}

async function refuseTaken({ own }: VersionDeps, work: WriteEvent['work'], collection: string, created: readonly Values[]): Promise<void> {
  const [items, keys] = [created.map((values) => textOf(values, 'item')), created.map((values) => textOf(values, 'key'))];
  const inside = { ...work, caller: serviceCaller(work.caller.view.schema) };
  const filter = { collection: { _eq: collection }, item: { _in: items }, key: { _in: keys } };
  const taken = await own.objects(inside, versions, { fields: ['item', 'key'], filter, limit: -1 });
  const isTaken = (values: Values): boolean =>
    taken.some((row) => row['item'] === textOf(values, 'item') && row['key'] === textOf(values, 'key'));
  const same = created.find(isTaken);
  if (same !== undefined) throw unprocessable(refusal('version_exists', { name: textOf(same, 'key') }));
}

const textOf = (values: Values, name: string): string => String(values.get(name));

function refuseMain(values: Values): void {
  const key = values.get('key');
  if (typeof key === 'string' && isKeyOfItem(key)) throw invalidPayload(refusal('version_named_main', { name: key }));
}
