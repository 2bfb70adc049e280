// A request as a GraphQL document. Fields become selections: `*` is every field, a path a nested one, `count(tags)` the function of one,
// `item:books` a fragment; conditions on a reference are conditions on its key.

import { nameOfStep, splitNames, splitPath } from '../schema/field-path.js';
import { type Collection, type Field, type Schema, withoutPrefix } from '../schema/model.js';
import { type ApiRequest, type Query, type Target, targetOf } from './api-request.js';
import { type Notation, printValue } from './print-value.js';

export interface GraphqlText {
  /** Which of the two endpoints answers it. */
  readonly endpoint: '/graphql' | '/graphql/system';
  readonly document: string;
}

/** A collection, or a field of it, whose GraphQL name differs from its own, as the service lists them. */
export interface GraphqlAlias {
  readonly collection: string;
  /** Null: the collection itself. */
  readonly field: string | null;
  readonly name: string;
}

/** Null: GraphQL has no such read, or cannot write one of the names and no alias is known. */
export function printGraphql(schema: Schema, request: ApiRequest, aliases: readonly GraphqlAlias[] = []): GraphqlText | null {
  if ('document' in request) return { endpoint: '/graphql/system', document: request.document };
  const { path, query = {} } = request;
  const own = ownDocuments[path];
  if (own !== undefined) return { endpoint: '/graphql/system', document: own };
  const target = targetOf(schema, path);
  if (target === null) return null;
  try {
    return {
      endpoint: target.collection.isSystem ? '/graphql/system' : '/graphql',
      document: documentOf({ schema, names: namesBy(aliases) }, target, query),
    };
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

/** The schema, and the GraphQL names of what is in it. */
interface Drawing {
  readonly schema: Schema;
  readonly names: GraphqlNames;
}

interface GraphqlNames {
  collection(collection: Collection): string;
  field(collection: Collection | null, name: string): string;
}

function namesBy(aliases: readonly GraphqlAlias[]): GraphqlNames {
  const keyOf = (collection: string, field: string | null): string => JSON.stringify([collection, field]);
  const known = new Map(aliases.map(({ collection, field, name }) => [keyOf(collection, field), name]));
  const ofField = (collection: Collection, name: string): string | undefined => known.get(keyOf(collection.name, name));
  return {
    collection: ({ name, isSystem }) => nameOf(known.get(keyOf(name, null)) ?? (isSystem ? withoutPrefix(name) : name)),
    field: (collection, name) => {
      if (collection === null || collection.fieldsByName.has(name) || !name.endsWith('_func'))
        return nameOf((collection === null ? undefined : ofField(collection, name)) ?? name);
      const inner = name.slice(0, -'_func'.length);
      return nameOf(`${ofField(collection, inner) ?? inner}_func`);
    },
  };
}

const literal: Notation = { indent: '  ', name: nameOf, text: (text) => JSON.stringify(text) };

function documentOf(drawing: Drawing, { collection, key }: Target, query: Query): string {
  const { fields = ['*'], deep = {}, version, ...rest } = query;
  const name = drawing.names.collection(collection);
  const selection = printSelection(drawing, collection, treeOf(drawing.schema, collection, asList(fields)), asObject(deep), '  ');
  const filter = rest['filter'] === undefined ? {} : { filter: printedFilter(drawing, collection, rest['filter']) };
  if (version !== undefined) {
    const which = key === null ? { version } : { id: key, version };
    return `{\n  ${name}_by_version${printArguments(which)} ${selection}\n}`;
  }
  if (key !== null) return `{\n  ${name}_by_id${printArguments({ id: key })} ${selection}\n}`;
  return `{\n  ${name}${printArguments({ ...rest, ...filter })} ${selection}\n}`;
}

const asList = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : splitNames(String(value)));
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

function treeOf(schema: Schema, collection: Collection, fields: readonly string[]): Tree {
  const root: Tree = new Map();
  for (const field of fields) {
    let at = root;
    for (const name of stepsOf(schema, collection, field)) {
      const below = at.get(name) ?? new Map<string, Tree>();
      at.set(name, below);
      at = below;
    }
  }
  return root;
}

/** `author.count(posts)` and `count(author.posts)` are `author`, `posts_func`, `count`. A field may have such a name itself. */
function stepsOf(schema: Schema, collection: Collection, field: string): readonly string[] {
  if (collection.fieldsByName.has(field)) return [field];
  const [, before = '', called, inner = ''] = /^(.*?)(\w+)\((.*)\)$/.exec(field) ?? [];
  const path = namesIn(schema, collection, called === undefined ? field : before + inner);
  return called === undefined ? path : [...path.slice(0, -1), `${path.at(-1)}_func`, called];
}

/** The names of a path: with signs escaped, or each the longest that fits, since a name may contain dots. */
function namesIn(schema: Schema, collection: Collection | null, path: string): readonly string[] {
  if (path.includes('\\')) return splitPath(path);
  const fields = collection?.fields.filter(({ name }) => path === name || path.startsWith(`${name}.`)) ?? [];
  const [field] = fields.toSorted((left, right) => right.name.length - left.name.length);
  if (field === undefined) return path.split('.');
  const rest = path.slice(field.name.length + 1);
  return rest === '' ? [field.name] : [field.name, ...namesIn(schema, relatedOf(schema, field), rest)];
}

function printSelection(drawing: Drawing, collection: Collection, tree: Tree, deep: Query, indent: string): string {
  const names = new Map(
    [...withFragments(collection, tree)].flatMap(([name, below]): readonly (readonly [string, Tree])[] =>
      name === '*'
        ? collection.fields.filter(isReadable(drawing.schema)).map((field) => [field.name, tree.get(field.name) ?? new Map()])
        : [[name, below]],
    ),
  );
  const lines = [...names].map(([name, below]) => printField(drawing, collection, name, below, asObject(deep[name]), `${indent}  `));
  const line = `{ ${lines.join(' ')} }`;
  if (line.length + indent.length <= 100 && !line.includes('\n')) return line;
  return `{\n${lines.map((each) => `${indent}  ${each}`).join('\n')}\n${indent}}`;
}

/** `item:books` is a selection of `item`, for its items that are books. */
function withFragments(collection: Collection, tree: Tree): Tree {
  const merged: Tree = new Map();
  for (const [name, below] of tree) {
    const [field = '', kind] = collection.fieldsByName.has(name) ? [name] : name.split(':');
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

function printField(drawing: Drawing, collection: Collection, name: string, below: Tree, deep: Query, indent: string): string {
  const { schema, names } = drawing;
  const printed = names.field(collection, name);
  const field = collection.fieldsByName.get(name);
  const related = field === undefined ? null : relatedOf(schema, field);
  const { nested, args } = split(drawing, related, deep);
  if (field?.relation?.kind === 'm2a') return `${printed} ${printUnion(drawing, field.relation.allowed, below, indent)}`;
  if (related === null) return below.size === 0 ? printed : `${printed} { ${[...below.keys()].map(nameOf).join(' ')} }`;
  const key = related.key ?? '__typename';
  const selected = below.size === 0 ? new Map([[key, new Map()]]) : below;
  return `${printed}${printArguments(args, indent)} ${printSelection(drawing, related, selected, nested, indent)}`;
}

/** What is selected of items of several collections: that of each, and whatever is asked of all of them; else their keys. */
function printUnion(drawing: Drawing, allowed: readonly string[], below: Tree, indent: string): string {
  const shared = new Map([...below].filter(([name]) => !name.startsWith('... on ')));
  const fragments = allowed.flatMap((name) => {
    const collection = drawing.schema.get(name);
    if (collection === undefined) return [];
    const key: Tree = new Map([[collection.key ?? '__typename', new Map()]]);
    const selected = below.size === 0 ? key : new Map([...shared, ...(below.get(`... on ${name}`) ?? [])]);
    if (selected.size === 0) return [];
    return [`... on ${drawing.names.collection(collection)} ${printSelection(drawing, collection, selected, {}, `${indent}  `)}`];
  });
  return fragments.length === 0 ? '{ __typename }' : `{\n${fragments.map((each) => `${indent}  ${each}`).join('\n')}\n${indent}}`;
}

/** In `deep`, the options of a list begin with an underscore; all other names are fields. */
function split(drawing: Drawing, related: Collection | null, deep: Query): { readonly nested: Query; readonly args: Query } {
  const entries = Object.entries(deep);
  const printed = (name: string, value: unknown) => (name === '_filter' ? printedFilter(drawing, related, value) : value);
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

function printedFilter(drawing: Drawing, collection: Collection | null, filter: unknown): unknown {
  if (Array.isArray(filter)) return filter.map((each) => printedFilter(drawing, collection, each));
  return Object.fromEntries(Object.entries(asObject(filter)).map((entry) => printedCondition(drawing, collection, entry)));
}

function printedCondition(
  drawing: Drawing,
  collection: Collection | null,
  [step, operand]: readonly [string, unknown],
): readonly [string, unknown] {
  const { schema, names } = drawing;
  const name = nameOfStep(step, (each) => collection?.fieldsByName.has(each) === true);
  if (groups.has(name)) return [name, printedFilter(drawing, collection, operand)];
  const field = collection?.fieldsByName.get(name);
  if (name.startsWith('_') && field === undefined) return [name, operand];
  const [, called, inner] = field === undefined ? (/^(\w+)\((.+)\)$/.exec(name) ?? []) : [];
  if (called !== undefined) return [names.field(collection, `${inner}_func`), { [called]: operand }];
  const conditions = typeof operand === 'object' && operand !== null ? operand : { _eq: operand };
  const related = field === undefined ? null : relatedOf(schema, field);
  const [union = '', kind] = field === undefined ? name.split(':') : [];
  if (kind !== undefined) {
    const target = schema.get(kind) ?? null;
    const printedKind = target === null ? kind : names.collection(target);
    return [`${names.field(collection, union)}__${printedKind}`, printedFilter(drawing, target, conditions)];
  }
  const printed = names.field(collection, name);
  if (related === null) return [printed, conditions];
  const isOfKey = field?.relation?.kind === 'm2o' && Object.keys(conditions).every((each) => isOperator(each));
  if (isOfKey && related.key !== null) return [printed, { [names.field(related, related.key)]: conditions }];
  return [printed, printedFilter(drawing, related, conditions)];
}

const groups = new Set(['_and', '_or', '_some', '_none']);
const isOperator = (name: string): boolean => name.startsWith('_') && !groups.has(name);
