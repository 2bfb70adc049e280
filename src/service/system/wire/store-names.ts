// Requests name system collections as they know them (`service_files`, `directus_files`); what is stored bears the names of the wire that the
// database is kept on. A permission on a name that nothing bears would grant nothing and look as if it did, so it is refused.

import type { BeforeEvent, Hooks } from '../../../core/engine/write/hooks.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import type { SystemDefinition } from '../../../core/schema/system-definition.js';
import { renameStored } from './rename-within.js';

/** Registered before every hook that looks at such a value. */
export function storeNames(hooks: Hooks, definitions: readonly SystemDefinition[]): void {
  for (const { collection, fields } of definitions) {
    const named = fields.filter(({ names }) => names);
    for (const action of ['create', 'update'] as const)
      if (named.length > 0)
        hooks.before(collection, action, async (event) => event.items.map(({ values }) => rename(event, values, named)));
  }
  for (const action of ['create', 'update'] as const) hooks.before('service_permissions', action, async (event) => refuseUnknown(event));
}

type Values = ReadonlyMap<string, unknown>;

function rename({ work }: BeforeEvent, values: Values, fields: SystemDefinition['fields']): Values {
  const { nameOf } = work.caller.view.schema;
  const changed = fields.flatMap(({ field, type }) => {
    const value = values.get(field);
    const renamed = renameStored(value, type, nameOf);
    return renamed === value ? [] : [[field, renamed] as const];
  });
  return changed.length === 0 ? values : new Map([...values, ...changed]);
}

/** Templates of that wire bring permissions before the collections that they are on; one with a name of the service cannot come. */
const mayCome = (name: string): boolean => !/^(?:service|directus)_/i.test(name);

function refuseUnknown({ work, items }: BeforeEvent): undefined {
  const { collections, wire } = work.caller.view.schema;
  for (const { values } of items) {
    const name = values.get('collection');
    if (typeof name === 'string' && !collections.has(name) && !(wire === 'directus' && mayCome(name)))
      throw invalidPayload(`"collection" names "${name}", which does not exist: a permission on it would grant nothing.`);
  }
}
