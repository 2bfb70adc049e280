// A request as a GraphQL document. Fields become selections: `*` is every field, a path a nested one, `count(tags)` the function of one,
// `item:books` a fragment; conditions on a reference are conditions on its key.

import { type Collection, type Field, type Schema, withoutPrefix } from '../schema/model.js';
import { type ApiRequest, type Query, type Target, targetOf } from './api-request.js';
import { type Notation, printValue } from './print-value.js';

export interface GraphqlText {
  /** Which of the two endpoints answers it. */
  readonly endpoint: '/graphql' | '/graphql/system';
  readonly document: string;
}

/** Null: GraphQL has no such read, or one of the names cannot be written in it and has an alias there. */
export function printGraphql(schema: Schema, request: ApiRequest): GraphqlText | null {
  if ('document' in request) return { endpoint: '/graphql/system', document: request.document };
  const { path, query = {} } = request;
  const own = ownDocuments[path];
  if (own !== undefined) return { endpoint: '/graphql/system', document: own };
  const target = targetOf(schema, path);
  if (target === null) return null;
  try {
    return { endpoint: target.collection.isSystem ? '/graphql/system' : '/graphql', document: documentOf(schema, target, query) };
  } catch (error) {
    if (error instanceof NotAGraphqlName) return null;
    throw error;
  }
}

const ownDocuments: Readonly<Record<string, string>> = {
  '/collections': '{\n  collections { collection meta { note hidden singleton } schema { name } }\n}',
  '/relations': '{\n  relations { collection field related_collection meta { one_field junction_field } }\n}',
  '/server/health': '{\n  server_health\n}',
};

/** Thrown for a name that is not valid in GraphQL. */
class NotAGraphqlName extends Error {}

function nameOf(name: string): string {
  if (!/^(?!__)[_A-Za-z]\w*$/.test(name)) throw new NotAGraphqlName(name);
  return name;
}

const literal: Notation = { indent: '  ', name: nameOf, text: (text) => JSON.stringify(text) };

function documentOf(schema: Schema, { collection, key }: Target, query: Query): string {
  const { fields = ['*'], deep = {}, version, ...rest } = query;
  const name = nameOf(collection.isSystem ? withoutPrefix(collection.name) : collection.name);
  const selection = printSelection(schema, collection, treeOf(asList(fields)), asObject(deep), '  ');
  const filter = rest['filter'] === undefined ? {} : { filter: printedFilter(schema, collection, rest['filter']) };
  if (version !== undefined) {
    const which = key === null ? { version } : { id: key, version };
    return `{\n  ${name}_by_version${printArguments(which)} ${selection}\n}`;
  }
  if (key !== null) return `{\n  ${name}_by_id${printArguments({ id: key })} ${selection}\n}`;
  return `{\n  ${name}${printArguments({ ...rest, ...filter })} ${selection}\n}`;
}

const asList = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : String(value).split(','));
const asObject = (value: unknown): Query => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Query) : {});

function printArguments(values: Query, indent = '  '): string {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return '';
  const printed = entries.map(([name, value]) => `${nameOf(name)}: ${printValue(value, literal, `${indent}  `)}`);
  const line = `(${printed.join(', ')})`;
  if (line.length <= 100 && !line.includes('\n')) return line;
  return `(\n${printed.map((each) => `${indent}  ${each}`).join('\n')}\n${indent})`;
}

/** Names with what is selected below them. */
type Tree = Map<string, Tree>;

function treeOf(fields: readonly string[]): Tree {
  const root: Tree = new Map();
  for (const field of fields) {
    let at = root;
    for (const name of stepsOf(field)) {
      const below = at.get(name) ?? new Map<string, Tree>();
      at.set(name, below);
      at = below;
    }
  }
  return root;
}

/** `author.count(posts)` and `count(author.posts)` are `author`, `posts_func`, `count`. */
function stepsOf(field: string): readonly string[] {
  const [, before = '', called, inner = ''] = /^(.*?)(\w+)\((.*)\)$/.exec(field) ?? [];
  if (called === undefined) return field.split('.');
  const path = (before + inner).split('.');
  return [...path.slice(0, -1), `${path.at(-1)}_func`, called];
}

function printSelection(schema: Schema, collection: Collection, tree: Tree, deep: Query, indent: string): string {
  const names = new Map(
    [...withFragments(tree)].flatMap(([name, below]): readonly (readonly [string, Tree])[] =>
      name === '*'
        ? collection.fields.filter(isReadable(schema)).map((field) => [field.name, tree.get(field.name) ?? new Map()])
        : [[name, below]],
    ),
  );
  const lines = [...names].map(([name, below]) => printField(schema, collection, name, below, asObject(deep[name]), `${indent}  `));
  const line = `{ ${lines.join(' ')} }`;
  if (line.length + indent.length <= 100 && !line.includes('\n')) return line;
  return `{\n${lines.map((each) => `${indent}  ${each}`).join('\n')}\n${indent}}`;
}

/** `item:books` is a selection of `item`, for its items that are books. */
function withFragments(tree: Tree): Tree {
  const merged: Tree = new Map();
  for (const [name, below] of tree) {
    const [field = '', kind] = name.split(':');
    const selected = kind === undefined ? below : new Map([[`... on ${kind}`, below]]);
    merged.set(field, new Map([...(merged.get(field) ?? []), ...selected]));
  }
  return merged;
}

/** A list of items that may not be read is not there in GraphQL; a reference to one is its plain key. */
const isReadable =
  (schema: Schema) =>
  (field: Field): boolean =>
    field.relation?.kind === 'o2m' || field.relation?.kind === 'm2m' ? relatedOf(schema, field) !== null : field.column !== null;

function printField(schema: Schema, collection: Collection, name: string, below: Tree, deep: Query, indent: string): string {
  const field = collection.fieldsByName.get(name);
  const related = field === undefined ? null : relatedOf(schema, field);
  const { nested, args } = split(schema, related, deep);
  if (field?.relation?.kind === 'm2a') return `${nameOf(name)} ${printUnion(schema, field.relation.allowed, below, indent)}`;
  if (related === null) return below.size === 0 ? nameOf(name) : `${nameOf(name)} { ${[...below.keys()].map(nameOf).join(' ')} }`;
  const key = related.key ?? '__typename';
  const selected = below.size === 0 ? new Map([[key, new Map()]]) : below;
  return `${nameOf(name)}${printArguments(args, indent)} ${printSelection(schema, related, selected, nested, indent)}`;
}

/** What is selected of items of several collections: that of each, and whatever is asked of all of them; else their keys. */
function printUnion(schema: Schema, allowed: readonly string[], below: Tree, indent: string): string {
  const shared = new Map([...below].filter(([name]) => !name.startsWith('... on ')));
  const fragments = allowed.flatMap((name) => {
    const collection = schema.get(name);
    if (collection === undefined) return [];
    const key: Tree = new Map([[collection.key ?? '__typename', new Map()]]);
    const selected = below.size === 0 ? key : new Map([...shared, ...(below.get(`... on ${name}`) ?? [])]);
    if (selected.size === 0) return [];
    return [`... on ${nameOf(name)} ${printSelection(schema, collection, selected, {}, `${indent}  `)}`];
  });
  return fragments.length === 0 ? '{ __typename }' : `{\n${fragments.map((each) => `${indent}  ${each}`).join('\n')}\n${indent}}`;
}

/** In `deep`, the options of a list begin with an underscore; all other names are fields. */
function split(schema: Schema, related: Collection | null, deep: Query): { readonly nested: Query; readonly args: Query } {
  const entries = Object.entries(deep);
  const printed = (name: string, value: unknown) => (name === '_filter' ? printedFilter(schema, related, value) : value);
  return {
    args: Object.fromEntries(entries.flatMap(([name, value]) => (name.startsWith('_') ? [[name.slice(1), printed(name, value)]] : []))),
    nested: Object.fromEntries(entries.filter(([name]) => !name.startsWith('_'))),
  };
}

/** The collection whose items a field leads to, when the caller may see it. */
function relatedOf(schema: Schema, { relation }: Field): Collection | null {
  if (relation === null || relation.kind === 'm2a') return null;
  return schema.get(relation.kind === 'm2m' ? relation.junction : relation.related) ?? null;
}

function printedFilter(schema: Schema, collection: Collection | null, filter: unknown): unknown {
  if (Array.isArray(filter)) return filter.map((each) => printedFilter(schema, collection, each));
  return Object.fromEntries(Object.entries(asObject(filter)).map((entry) => printedCondition(schema, collection, entry)));
}

function printedCondition(
  schema: Schema,
  collection: Collection | null,
  [name, operand]: readonly [string, unknown],
): readonly [string, unknown] {
  if (groups.has(name)) return [name, printedFilter(schema, collection, operand)];
  if (name.startsWith('_') && !collection?.fieldsByName.has(name)) return [name, operand];
  const [, called, inner] = /^(\w+)\((\w+)\)$/.exec(name) ?? [];
  if (called !== undefined) return [`${inner}_func`, { [called]: operand }];
  const conditions = typeof operand === 'object' && operand !== null ? operand : { _eq: operand };
  const field = collection?.fieldsByName.get(name);
  const related = field === undefined ? null : relatedOf(schema, field);
  const [union = '', kind] = name.split(':');
  if (kind !== undefined) return [`${union}__${kind}`, printedFilter(schema, schema.get(kind) ?? null, conditions)];
  if (related === null) return [name, conditions];
  const isOfKey = field?.relation?.kind === 'm2o' && Object.keys(conditions).every((each) => isOperator(each));
  if (isOfKey && related.key !== null) return [name, { [related.key]: conditions }];
  return [name, printedFilter(schema, related, conditions)];
}

const groups = new Set(['_and', '_or', '_some', '_none']);
const isOperator = (name: string): boolean => name.startsWith('_') && !groups.has(name);
