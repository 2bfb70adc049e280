// Hooks on writes of service_versions: the item of a version is checked when the version is created and fixed from then on; its content is
// changed only by the operation `save`.

import { serviceCaller } from '../../../core/access/view.js';
import type { Hooks, WriteEvent } from '../../../core/engine/write/hooks.js';
import { forbidden, invalidPayload } from '../../../core/errors/service-error.js';
import { groupBy } from '../../../core/util/group-by.js';
import { findReadable, findVersioned, readWhole } from '../subjects/read-main.js';
import { hashMain } from './main-hash.js';
import { unprocessable, type VersionDeps } from './version.js';

const versions = 'service_versions';
const mainKey = 'main';
const fixed = ['collection', 'item', 'hash', 'delta'];

type Values = ReadonlyMap<string, unknown>;

export function guardVersions(hooks: Hooks, deps: VersionDeps): void {
  hooks.before(versions, 'create', (event) => prepareVersions(deps, event));
  hooks.before(versions, 'update', async ({ items }) => {
    for (const { values } of items) {
      refuseMain(values);
      const name = fixed.find((candidate) => values.has(candidate));
      if (name !== undefined)
        throw invalidPayload(`"${name}" of a version cannot be changed; its content is saved with /versions/{id}/save.`);
    }
    return undefined;
  });
}

/** Checks new versions and adds the hash of their items. The number of reads depends on the number of collections, not of versions. */
async function prepareVersions(deps: VersionDeps, event: WriteEvent): Promise<readonly Values[]> {
  const hashes = new Map<Values, string>();
  for (const { values } of event.items) {
    refuseMain(values);
    if (values.has('delta') || values.has('hash')) throw invalidPayload('The content of a version is saved with /versions/{id}/save.');
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
  if (!collection.versioning) throw unprocessable(`Collection "${name}" has no versions.`);
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
  if (same !== undefined) throw unprocessable(`The item has a version "${textOf(same, 'key')}" already.`);
}

const textOf = (values: Values, name: string): string => String(values.get(name));

function refuseMain(values: Values): void {
  if (values.get('key') === mainKey) throw invalidPayload(`"${mainKey}" is the name of the item itself.`);
}
