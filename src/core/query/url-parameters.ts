// From a raw query string to nested maps: `filter[status][_eq]=x`, `fields[]=a`, `filter[_or][0][id]=1`. A key that comes more than
// once is a list of its values, so where one value is asked for, repetition is refused and never resolved by chance.

import { invalidQuery } from '../errors/service-error.js';
import { makeMap, type Structure } from './structure.js';

type Tree = Record<string, unknown>;

interface Reader {
  readonly root: Tree;
  readonly accepts: ReadonlySet<string>;
  /** Bounds parameters and list positions alike. */
  readonly max: number;
  /** The next free position of maps that were addressed as lists; null until there is one. */
  next: Map<Tree, number> | null;
}

const maxBrackets = 64;
const position = /^(?:0|[1-9]\d*)$/;

/** Parameters whose name is not accepted are left out. */
export function readUrlParameters(search: string, accepts: ReadonlySet<string>, max: number): Structure {
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
  setLeaf(tree, name, value);
}

function descend(tree: Tree, name: string): Tree {
  const below = tree[name];
  if (below === undefined) {
    const made: Tree = makeMap();
    tree[name] = made;
    return made;
  }
  if (isTree(below)) return below;
  throw bothForms(name);
}

/** `[]` takes the next position of a list, `[3]` that one. */
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

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Maps with nothing but positions become lists, in the order of the positions and without gaps. */
function turnIntoLists(reader: Reader, tree: Tree): Structure {
  for (const name of Object.keys(tree)) {
    const below = tree[name];
    if (!isTree(below)) continue;
    turnIntoLists(reader, below);
    if (reader.next?.has(below) && Object.keys(below).every((key) => position.test(key))) tree[name] = Object.values(below);
  }
  return tree;
}

const unsafeName = () => invalidQuery('"__proto__" cannot be used as a name.');
const bothForms = (name: string) => invalidQuery(`The parameter "${name.slice(0, 60)}" is given both as a value and with brackets.`);
