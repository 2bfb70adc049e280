// Creating and changing versions as items: what a version is about is fixed at its creation, and checked there.

import type { Hooks, WriteEvent } from '../../core/engine/hooks.js';
import { invalidPayload, serviceError } from '../../core/errors/service-error.js';
import { findVersioned, hashMain, readMain } from './read-main.js';
import type { VersionContext } from './version-context.js';

const versions = 'service_versions';
const mainKey = 'main';
const fixed = ['collection', 'item', 'hash', 'delta'];

type Values = ReadonlyMap<string, unknown>;

export function guardVersions(hooks: Hooks, context: VersionContext): void {
  hooks.before(versions, 'create', async (event) => {
    const prepared: Values[] = [];
    for (const { values } of event.items) prepared.push(await prepareVersion(context, event, values));
    return prepared;
  });
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

async function prepareVersion({ reader, versions: rows }: VersionContext, { work }: WriteEvent, values: Values): Promise<Values> {
  refuseMain(values);
  if (values.has('delta') || values.has('hash')) throw invalidPayload('The content of a version is saved with /versions/{id}/save.');
  const collection = findVersioned(work.caller, String(values.get('collection')));
  if (!collection.versioning) throw unprocessable(`Collection "${collection.name}" has no versions.`);
  const [item, key] = [String(values.get('item')), String(values.get('key'))];
  await readMain(reader, work, collection, item);
  const same = await rows.read(work.connection, ['id'], { collection: collection.name, item, key });
  if (same.length > 0) throw unprocessable(`The item has a version "${key}" already.`);
  return new Map([...values, ['hash', await hashMain(reader, work, collection, item)]]);
}

function refuseMain(values: Values): void {
  if (values.get('key') === mainKey) throw invalidPayload(`"${mainKey}" is the name of the item itself.`);
}

export const unprocessable = (reason: string) => serviceError('UNPROCESSABLE_CONTENT', reason, { reason });
