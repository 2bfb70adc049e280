// Permissions while a version is read. A change that is not promoted yet must not give access to items that are closed today, so each item
// rule of the caller has to hold for an item as it is now and as the version would make it. The view returned here adds the first half to
// the rules; the database checks the second half when it reads the changed items.

import { createHash } from 'node:crypto';
import type { Grant, Permission, Rule } from '../../../core/access/permission.js';
import { makeView, type SchemaView } from '../../../core/access/view.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { Key } from '../../../core/engine/work/work.js';
import { emptyParsedQuery, type Filter } from '../../../core/query/query.js';
import type { Collection, Schema } from '../../../core/schema/schema.js';
import type { TouchedItems } from './touched-items.js';
import type { VersionDeps } from './version.js';

/** Whether the caller has any item rule, whose result a change could alter. */
export const hasRules = ({ grants }: SchemaView): boolean =>
  !grants.admin && [...grants.byCollection.values()].some(({ read }) => read?.some(({ rule }) => rule !== null) === true);

/** Must be called before the changes are written. Needs one statement per rule of a touched collection. */
export async function presentView({ own }: Pick<VersionDeps, 'own'>, work: TransactionWork, touched: TouchedItems): Promise<SchemaView> {
  const { schema, grants } = work.caller.view;
  const byCollection = new Map(grants.byCollection);
  const changedRules: unknown[] = [];
  for (const [name, present] of grants.byCollection) {
    const collection = schema.collections.get(name);
    if (collection === undefined || present.read === undefined) continue;
    const read: Permission[] = [];
    for (const permission of present.read) read.push(await requirePresent(own, work, collection, permission, touched));
    if (read.every((permission, index) => permission === present.read?.[index])) continue;
    byCollection.set(name, { ...present, read });
    changedRules.push(
      name,
      read.map(({ rule }) => rule),
    );
  }
  if (changedRules.length === 0) return work.caller.view;
  const mark = createHash('sha256').update(JSON.stringify(changedRules)).digest('hex');
  return makeView(schema, { key: `${grants.key} now ${mark}`, admin: false, byCollection });
}

async function requirePresent(
  own: VersionDeps['own'],
  work: TransactionWork,
  collection: Collection,
  permission: Permission,
  touched: TouchedItems,
): Promise<Permission> {
  const { rule } = permission;
  if (rule === null) return permission;
  const keys = touched.keysOf(collection.name);
  const affects =
    touched.affects(work.caller.view.schema, collection, rule.filter) ||
    (asksForCaller(rule) && touchesCallers(touched, work.caller.view.schema));
  if (keys.length === 0 && !affects) return permission;
  const passing = await findPassing(own, work, collection, permission, keys);
  if (affects) return { ...permission, rule: andKeys(rule, collection, passing, true) };
  const failing = keys.filter((key) => !passing.some((other) => other.every((part, index) => part === key[index])));
  return failing.length === 0 ? permission : { ...permission, rule: andKeys(rule, collection, failing, false) };
}

const asksForCaller = ({ literals }: Rule): boolean => /"\$CURRENT_(?:USER|ROLE)\./.test(JSON.stringify(literals));
const touchesCallers = (touched: TouchedItems, { nameOf }: Schema): boolean =>
  touched.has(nameOf('service_users')) || touched.has(nameOf('service_roles'));

async function findPassing(
  own: VersionDeps['own'],
  work: TransactionWork,
  collection: Collection,
  permission: Permission,
  keys: readonly (readonly string[])[],
): Promise<readonly (readonly string[])[]> {
  if (keys.length === 0) return [];
  const { schema, grants } = work.caller.view;
  const place = grants.byCollection.get(collection.name)?.read?.indexOf(permission) ?? 0;
  const read: Grant = [{ ...permission, fields: '*' }];
  const view = makeView(schema, {
    key: `${grants.key} rule ${place} of ${collection.name}`,
    admin: false,
    byCollection: new Map([[collection.name, { read }]]),
  });
  const asked = collection.primaryKey.length > 1 ? keys : keys.map(([only]) => only);
  const found = await own.keys({ ...work, caller: { ...work.caller, view } }, collection.name, emptyParsedQuery, asked);
  return found.map((key: Key) => [key].flat().map(String));
}

/** The rule, limited to these items (`isOneOf`) or without them. */
function andKeys(rule: Rule, { primaryKey }: Collection, keys: readonly (readonly string[])[], isOneOf: boolean): Rule {
  const literals: unknown[] = [...rule.literals];
  const compare = (name: string, operator: '_eq' | '_neq' | '_in' | '_nin', value: unknown): Filter => {
    literals.push(value);
    return { kind: 'compare', field: { name, fn: null, args: [], scope: null }, operator, slot: literals.length - 1 };
  };
  const [name = '', ...more] = primaryKey;
  const filter: Filter =
    more.length === 0
      ? compare(
          name,
          isOneOf ? '_in' : '_nin',
          keys.map(([only]) => only),
        )
      : {
          kind: isOneOf ? 'or' : 'and',
          filters: keys.map(
            (key): Filter => ({
              kind: isOneOf ? 'and' : 'or',
              filters: primaryKey.map((part, index) => compare(part, isOneOf ? '_eq' : '_neq', key[index])),
            }),
          ),
        };
  return { filter: { kind: 'and', filters: [rule.filter, filter] }, literals };
}
