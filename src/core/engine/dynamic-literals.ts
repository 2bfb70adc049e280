// The dynamic values that presets and validation rules of a caller's permissions may ask for; found once per set of grants.

import type { Grants, Permission } from '../access/permission.js';

const known = new WeakMap<Grants, readonly unknown[]>();

/** `$NOW` is always among them: the rules of fields may ask for it too. */
export function dynamicLiterals(grants: Grants): readonly unknown[] {
  const present = known.get(grants);
  if (present !== undefined) return present;
  const permissions = [...grants.byCollection.values()].flatMap((actions) => [...(actions.create ?? []), ...(actions.update ?? [])]);
  const literals = ['$NOW', ...permissions.flatMap(literalsOf)];
  known.set(grants, literals);
  return literals;
}

const literalsOf = ({ presets, validation }: Permission): readonly unknown[] => [
  ...Object.values(presets ?? {}),
  ...(validation?.literals ?? []),
];
