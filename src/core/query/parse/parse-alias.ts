// The parameters `alias` and, for nested lists, `_alias` in `deep`: another key in the answer for a field, a relation or a function.
// Aliases are parsed first because `fields`, `sort` and `deep` of the same level may use them.

import { invalidQuery } from '../../errors/service-error.js';
import { makeMap, type PlainObject } from '../../util/plain-object.js';
import { maskEscapes } from '../escape-name.js';
import { checkName, parseFieldRef } from '../field-ref.js';
import type { FieldRef } from '../query.js';
import { checkHops, countNode, type ParseContext } from './parse-context.js';
import { readObject } from './read-object.js';

export interface Aliases {
  readonly targets: Readonly<Record<string, FieldRef>>;
  /** The aliases of nested lists, by the key of the list in the answer. */
  readonly below: Readonly<Record<string, Aliases>>;
}

/** Returns null when no level defines an alias. */
export function parseAliases(alias: unknown, deep: PlainObject | null, context: ParseContext, hops = 0): Aliases | null {
  const targets = parseTargets(alias, context);
  const below = deep === null ? null : parseBelow(deep, context, hops);
  if (targets === null && below === null) return null;
  return { targets: targets ?? makeMap(), below: below ?? makeMap() };
}

function parseTargets(alias: unknown, context: ParseContext): Record<string, FieldRef> | null {
  const structure = readObject(alias, 'alias');
  if (structure === null) return null;
  const targets = makeMap<FieldRef>();
  for (const name of Object.keys(structure)) {
    countNode(context);
    targets[checkAlias(name)] = parseTarget(structure[name], name);
  }
  return targets;
}

function parseBelow(deep: PlainObject, context: ParseContext, hops: number): Record<string, Aliases> | null {
  let below: Record<string, Aliases> | null = null;
  for (const key of Object.keys(deep)) {
    if (key.startsWith('_')) continue;
    checkHops(context, hops + 1);
    const structure = readObject(deep[key], 'deep');
    const aliases = structure === null ? null : parseAliases(structure._alias, structure, context, hops + 1);
    if (aliases === null) continue;
    below ??= makeMap();
    below[checkName(key)] = aliases;
  }
  return below;
}

function checkAlias(name: string): string {
  if (/[.:()*,\s]/.test(name)) throw invalidQuery(`The alias "${name.slice(0, 100)}" has to be a plain name without dots.`);
  return checkName(name);
}

function parseTarget(target: unknown, name: string): FieldRef {
  if (typeof target !== 'string') throw invalidQuery(`The alias "${name}" has to name one field.`);
  const ref = parseFieldRef(target.trim());
  if (/^[^(]*\./.test(maskEscapes(target)) || ref.scope !== null)
    throw invalidQuery(`The alias "${name}" has to name a field of the same level, without dots.`);
  return ref;
}
