// The parameter `fields`: merges dot paths into one tree of selections and resolves the aliases of each level. Duplicates collapse, and
// `author` beside `author.name` selects the object only.

import { invalidQuery } from '../../errors/service-error.js';
import { makeMap } from '../../util/plain-object.js';
import { parseFieldRef, resultKey, splitPath } from '../field-ref.js';
import type { FieldRef, Selection } from '../query.js';
import type { Aliases } from './parse-alias.js';
import { checkHops, countNode, type ParseContext } from './parse-context.js';
import { parseNames } from './parse-names.js';

/** One level of the tree under construction; `entries` finds its selections by their key in the answer. */
interface Level {
  readonly selections: Selection[];
  entries: Map<string, Entry> | null;
}

/** The selection of a field whose scopes are still being collected. */
interface FieldDraft {
  readonly kind: 'field';
  readonly field: FieldRef;
  readonly as: string;
  readonly children: readonly Selection[];
  scopes: Record<string, readonly Selection[]>;
}

interface Entry {
  /** null for a wildcard. */
  readonly draft: FieldDraft | null;
  readonly below: Level;
  scoped: Map<string, Level> | null;
}

/** Shared by all selections without scopes; never modified. */
const noScopes: Record<string, readonly Selection[]> = makeMap();
const makeLevel = (): Level => ({ selections: [], entries: null });

export function parseFields(value: unknown, aliases: Aliases | null, context: ParseContext): readonly Selection[] {
  const root = makeLevel();
  for (const path of parseNames(value, 'fields', context)) addPath(root, path, aliases, context);
  return root.selections;
}

function addPath(root: Level, path: string, aliases: Aliases | null, context: ParseContext): void {
  const steps = splitPath(path);
  checkHops(context, steps.length - 1);
  let level = root;
  let scope = aliases;
  for (const step of steps) {
    countNode(context);
    level = addStep(level, step, scope);
    scope = scope?.below[step] ?? null;
  }
}

/** Adds the step unless it exists, and returns the level below it. */
function addStep(level: Level, step: string, aliases: Aliases | null): Level {
  if (step === '*') return findEntry(level, '*', null).below;
  const target = aliases?.targets[step];
  if (target) return findEntry(level, step, target).below;
  const field = parseFieldRef(step);
  if (field.scope === null) return findEntry(level, resultKey(field), field).below;
  return findScope(findEntry(level, field.name, { ...field, scope: null }), field.scope);
}

function findEntry(level: Level, as: string, field: FieldRef | null): Entry {
  level.entries ??= new Map();
  const found = level.entries.get(as);
  if (found) return sameField(found, field, as);
  const below = makeLevel();
  const children = below.selections;
  const draft: FieldDraft | null = field === null ? null : { kind: 'field', field, as, children, scopes: noScopes };
  level.selections.push(draft ?? { kind: 'wildcard', children });
  const entry: Entry = { draft, below, scoped: null };
  level.entries.set(as, entry);
  return entry;
}

function sameField(entry: Entry, field: FieldRef | null, as: string): Entry {
  const known = entry.draft?.field;
  if (known?.name !== field?.name || known?.fn !== field?.fn || known?.args[0] !== field?.args[0]) {
    throw invalidQuery(`Two different fields would have the key "${as}": give one of them an alias.`);
  }
  return entry;
}

function findScope(entry: Entry, scope: string): Level {
  entry.scoped ??= new Map();
  const found = entry.scoped.get(scope);
  if (found) return found;
  const level = makeLevel();
  entry.scoped.set(scope, level);
  if (entry.draft !== null) {
    if (entry.draft.scopes === noScopes) entry.draft.scopes = makeMap();
    entry.draft.scopes[scope] = level.selections;
  }
  return level;
}
