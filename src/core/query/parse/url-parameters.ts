// Turns a raw query string into nested maps: `filter[status][_eq]=x`, `fields[]=a`, `filter[_or][0][id]=1`. A key that is repeated becomes
// a list of its values; a parameter that takes one value then refuses the list instead of picking one.

import { invalidQuery } from '../../errors/service-error.js';
import { isPlainObject, makeMap, type PlainObject } from '../../util/plain-object.js';
import { isOperator, operators } from '../operators.js';

type Tree = Record<string, unknown>;

interface Reader {
  readonly root: Tree;
  readonly accepts: ReadonlySet<string>;
  /** The bound for the number of parameters and for positions in lists. */
  readonly max: number;
  /** For maps that were addressed as lists, the next free position; null until there is such a map. */
  next: Map<Tree, number> | null;
}

const maxBrackets = 64;
const position = /^(?:0|[1-9]\d*)$/;

/** Ignores parameters whose name is not in `accepts`. */
export function readUrlParameters(search: string, accepts: ReadonlySet<string>, max: number): PlainObject {
  const reader: Reader = { root: makeMap(), accepts, max, next: null };
  let count = 0;
  for (let start = 0; start < search.length; ) {
    const found = search.indexOf('&', start);
    const end = found === -1 ? search.length : found;
    if (end > start) {
      count += 1;
      if (count > max) throw invalidQuery(`At most ${max} parameters are accepted.`);
      readPair(reader, search.slice(start, end));
    }
    start = end + 1;
  }
  return reader.next === null ? reader.root : turnIntoLists(reader, reader.root);
}

function readPair(reader: Reader, pair: string): void {
  const equals = pair.indexOf('=');
  const key = decode(equals === -1 ? pair : pair.slice(0, equals));
  const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
  const bracket = key.indexOf('[');
  const head = bracket === -1 ? key : key.slice(0, bracket);
  if (head === '__proto__') throw unsafeName();
  if (!reader.accepts.has(head)) return;
  if (bracket === -1) setLeaf(reader.root, head, value);
  else setNested(reader, head, key, bracket, value);
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw invalidQuery('A parameter is not percent-encoded UTF-8.');
  }
}

function setNested(reader: Reader, head: string, key: string, bracket: number, value: string): void {
  let tree = reader.root;
  let name = head;
  let depth = 0;
  for (let open = bracket; open < key.length; ) {
    const close = key.indexOf(']', open);
    depth += 1;
    if (key[open] !== '[' || close === -1 || depth > maxBrackets)
      throw invalidQuery(`The parameter "${key.slice(0, 60)}" is not well-formed.`);
    tree = descend(tree, name);
    name = takeName(reader, tree, key.slice(open + 1, close));
    open = close + 1;
  }
  if (value === '' && isComparison(name)) throw invalidQuery(`"${name}" has no value: use "_empty" or "_nempty".`);
  setLeaf(tree, name, value);
}

/** In a URL, `filter[title][_eq]=` is a value that was forgotten more often than an empty text, which JSON can state. */
const isComparison = (name: string): boolean => isOperator(name) && operators[name].group === 'equality';

function descend(tree: Tree, name: string): Tree {
  const below = tree[name];
  if (below === undefined) {
    const made: Tree = makeMap();
    tree[name] = made;
    return made;
  }
  if (isPlainObject(below)) return below as Tree;
  throw bothForms(name);
}

/** `[]` takes the next position of a list, `[3]` the given one. */
function takeName(reader: Reader, tree: Tree, name: string): string {
  if (name === '__proto__') throw unsafeName();
  if (name !== '' && !position.test(name)) return name;
  reader.next ??= new Map();
  const next = reader.next.get(tree) ?? 0;
  const index = name === '' ? next : Number(name);
  if (index >= reader.max) throw invalidQuery(`List positions have to be below ${reader.max}.`);
  reader.next.set(tree, Math.max(next, index + 1));
  return String(index);
}

function setLeaf(tree: Tree, name: string, value: string): void {
  const present = tree[name];
  if (present === undefined) tree[name] = value;
  else if (typeof present === 'string') tree[name] = [present, value];
  else if (Array.isArray(present)) present.push(value);
  else throw bothForms(name);
}

/** Turns maps whose keys are all positions into lists, ordered by position and without gaps. */
function turnIntoLists(reader: Reader, tree: Tree): PlainObject {
  for (const name of Object.keys(tree)) {
    const below = tree[name];
    if (!isPlainObject(below)) continue;
    turnIntoLists(reader, below as Tree);
    if (reader.next?.has(below as Tree) && Object.keys(below).every((key) => position.test(key))) tree[name] = Object.values(below);
  }
  return tree;
}

const unsafeName = () => invalidQuery('"__proto__" cannot be used as a name.');
const bothForms = (name: string) => invalidQuery(`The parameter "${name.slice(0, 60)}" is given both as a value and with brackets.`);
