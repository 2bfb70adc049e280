// Revisions and versions hold values of items of any collection. A caller who may read them sees these values only for collections that
// the caller may read without item rules or field lists, since such rules cannot be applied to past values. A version, and the revision of
// a save into one, holds payloads that may reach into related collections, so those have to be readable without restriction as well.

import type { Action, Grant, Grants, Permission, Rule } from '../../../core/access/permission.js';
import { unrestrictedCollections, unrestrictedWithRelated } from '../../../core/access/unrestricted-reads.js';
import type { Filter } from '../../../core/query/query.js';
import type { Schema } from '../../../core/schema/schema.js';

type CollectionGrants = Readonly<Partial<Record<Action, Grant>>>;

const revisions = {
  values: ['data', 'delta', 'previous'],
  others: ['id', 'activity', 'collection', 'item', 'parent', 'version'],
};
const versions = {
  values: ['hash', 'delta'],
  others: ['id', 'key', 'name', 'collection', 'item', 'date_created', 'date_updated', 'user_created', 'user_updated'],
};

export function narrowHistory(grants: Grants, schema: Schema): Grants {
  if (grants.admin) return grants;
  const whole = unrestrictedCollections(grants);
  const related = unrestrictedWithRelated(schema, whole);
  const byCollection = new Map<string, CollectionGrants>(grants.byCollection);
  const narrow = (codeName: string, change: (permission: Permission) => readonly Permission[]): void => {
    const name = schema.nameOf(codeName);
    const present = grants.byCollection.get(name);
    if (present?.read !== undefined) byCollection.set(name, { ...present, read: present.read.flatMap(change) });
  };
  narrow('service_revisions', (permission) => [
    only(permission, revisions.others),
    only(permission, revisions.values, amongPlain(permission.rule, whole)),
    only(permission, revisions.values, among(permission.rule, related)),
  ]);
  narrow('service_versions', (permission) => [
    only(permission, versions.others),
    only(permission, versions.values, among(permission.rule, related)),
  ]);
  // Which collections are readable as a whole depends on the schema, so the key of the grants does, too.
  return { ...grants, key: `${grants.key}/${schema.version}`, byCollection };
}

function only(permission: Permission, names: readonly string[], rule: Rule | null = permission.rule): Permission {
  const fields = new Set(names.filter((name) => permission.fields === '*' || permission.fields.has(name)));
  return { ...permission, fields, rule };
}

const fieldNamed = (name: string) => ({ name, fn: null, args: [], scope: null });

/** Adds the condition that the item is of one of these collections. */
function among(rule: Rule | null, names: ReadonlySet<string>, ...more: readonly Filter[]): Rule {
  const literals = rule?.literals ?? [];
  const filter: Filter = { kind: 'compare', field: fieldNamed('collection'), operator: '_in', slot: literals.length };
  return {
    filter: { kind: 'and', filters: [...(rule === null ? [] : [rule.filter]), filter, ...more] },
    literals: [...literals, [...names]],
  };
}

/** Adds the condition that the revision is of the item itself and not of a version: it holds columns only. */
const amongPlain = (rule: Rule | null, names: ReadonlySet<string>): Rule =>
  among(rule, names, { kind: 'compare', field: fieldNamed('version'), operator: '_null', slot: null });
