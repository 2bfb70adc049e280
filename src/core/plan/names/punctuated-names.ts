// Fields whose names contain characters of the query grammar (`items.dot`, `a:b`, `Cost(USD)`). The parser knows no schema and has split
// such a name; here, if the whole text is the name of a field, the field takes precedence over a path, a scope or a function.

import { resultKey } from '../../query/field-ref.js';
import type { FieldRef, Path, Selection } from '../../query/query.js';
import type { Collection } from '../../schema/schema.js';

type FieldSelection = Extract<Selection, { kind: 'field' }>;

const known = new WeakMap<Collection, ReadonlySet<string>>();
const none: ReadonlySet<string> = new Set();

/** The names of the collection that contain such characters; nearly every collection has none. */
function oddNames(collection: Collection): ReadonlySet<string> {
  const present = known.get(collection);
  if (present !== undefined) return present;
  const odd = [...collection.fields.keys()].filter((name) => /[.:(]/.test(name));
  const names = odd.length === 0 ? none : new Set(odd);
  known.set(collection, names);
  return names;
}

const plain = (name: string): FieldRef => ({ name, fn: null, args: [], scope: null });

/** Restores one name of a filter. */
export function wholeName(collection: Collection, ref: FieldRef): FieldRef {
  const odd = oddNames(collection);
  if (odd === none || (ref.scope === null && ref.fn === null)) return ref;
  const text = textOf(ref);
  return odd.has(text) ? plain(text) : ref;
}

const textOf = ({ name, fn, args, scope }: FieldRef): string =>
  scope === null ? `${fn}(${[name, ...args].join(', ')})` : `${name}:${scope}`;

/** Joins the longest prefix of the path that is the name of a field into one step. */
export function wholePath(collection: Collection, path: Path): Path {
  const odd = oddNames(collection);
  if (odd === none) return path;
  for (let count = path.length; count > 1; count -= 1) {
    const steps = path.slice(0, count);
    const name = steps.map((step) => step.name).join('.');
    const last = steps.at(-1);
    if (last !== undefined && odd.has(name) && steps.slice(0, -1).every((step) => step.fn === null))
      return [{ ...last, name }, ...path.slice(count)];
  }
  const [first, ...rest] = path;
  return first === undefined ? path : [wholeName(collection, first), ...rest];
}

/** Does the same for a tree of selections: `items` with `dot` below it becomes the field `items.dot`, answered under that key. */
export function wholeSelections(collection: Collection, selections: readonly Selection[]): readonly Selection[] {
  const odd = oddNames(collection);
  return odd === none ? selections : selections.flatMap((selection) => (selection.kind === 'field' ? gather(odd, selection) : [selection]));
}

function gather(odd: ReadonlySet<string>, selection: FieldSelection): readonly Selection[] {
  const { name, fn } = selection.field;
  const call = textOf(selection.field);
  if (fn !== null) return [odd.has(call) ? { ...selection, field: plain(call), as: call } : selection];
  const found: Selection[] = [];
  const children = takeWhole(odd, name, selection.children, found);
  const scopes = Object.entries(selection.scopes).filter(([scope, below]) => {
    const isWhole = below.length === 0 && odd.has(`${name}:${scope}`);
    if (isWhole) found.push({ kind: 'field', field: plain(`${name}:${scope}`), as: `${name}:${scope}`, children: [], scopes: {} });
    return !isWhole;
  });
  if (found.length === 0) return [selection];
  if (children.length === 0 && scopes.length === 0) return found;
  return [...found, { ...selection, children, scopes: Object.fromEntries(scopes) }];
}

/** Moves selections that complete a name into `found` and returns the rest. */
function takeWhole(odd: ReadonlySet<string>, above: string, selections: readonly Selection[], found: Selection[]): readonly Selection[] {
  return selections.flatMap((selection): readonly Selection[] => {
    if (selection.kind !== 'field') return [selection];
    const name = `${above}.${selection.field.name}`;
    if (odd.has(name)) {
      const field = { ...selection.field, name };
      found.push({ ...selection, field, as: selection.as === resultKey(selection.field) ? resultKey(field) : selection.as });
      return [];
    }
    const children = takeWhole(odd, name, selection.children, found);
    if (children.length === selection.children.length) return [selection];
    return children.length === 0 ? [] : [{ ...selection, children }];
  });
}
