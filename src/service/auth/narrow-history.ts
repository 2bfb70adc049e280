// Revisions and versions hold values of items of any collection. Whoever may read them sees these values only for collections he may read
// whole: no rule of a single item or field can be asked about what is past.

import type { Action, Grant, Permission, Rule } from '../../core/access/permission.js';

type CollectionGrants = Readonly<Partial<Record<Action, Grant>>>;
type GrantMap = ReadonlyMap<string, CollectionGrants>;

/** Of each collection: the fields that hold values of items, and the others. */
const histories = [
  { name: 'service_revisions', values: ['data', 'delta'], others: ['id', 'activity', 'collection', 'item', 'parent', 'version'] },
  {
    name: 'service_versions',
    values: ['delta'],
    others: ['id', 'key', 'name', 'collection', 'item', 'hash', 'date_created', 'date_updated', 'user_created', 'user_updated'],
  },
] as const;

export function narrowHistory(grants: GrantMap): GrantMap {
  const narrowed = new Map(grants);
  const whole = [...grants].filter(([, { read }]) => read?.some(isWhole) === true).map(([name]) => name);
  for (const { name, values, others } of histories) {
    const present = grants.get(name);
    if (present?.read === undefined) continue;
    narrowed.set(name, { ...present, read: present.read.flatMap((permission) => split(permission, values, others, whole)) });
  }
  return narrowed;
}

const isWhole = ({ rule, fields }: Permission): boolean => rule === null && fields === '*';

function split(
  permission: Permission,
  values: readonly string[],
  others: readonly string[],
  whole: readonly string[],
): readonly Permission[] {
  const granted = (names: readonly string[]): ReadonlySet<string> =>
    new Set(names.filter((name) => permission.fields === '*' || permission.fields.has(name)));
  return [
    { ...permission, fields: granted(others) },
    { ...permission, fields: granted(values), rule: inCollections(permission.rule, whole) },
  ];
}

function inCollections(rule: Rule | null, names: readonly string[]): Rule {
  const literals = rule?.literals ?? [];
  const field = { name: 'collection', fn: null, args: [], scope: null };
  const among = { kind: 'compare', field, operator: '_in', slot: literals.length } as const;
  return { filter: { kind: 'and', filters: [...(rule === null ? [] : [rule.filter]), among] }, literals: [...literals, names] };
}
