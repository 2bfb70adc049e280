// All types drawn from the collections a caller sees, by name. A type is made when first asked for; its name is known before.

import { type GraphQLInputObjectType, type GraphQLNamedType, type GraphQLObjectType, GraphQLUnionType } from 'graphql';
import type { Action } from '../../../core/access/permission.js';
import { findCollection, type SchemaView, visibleFields } from '../../../core/access/view.js';
import type { Collection, Field, ManyToAny, Schema } from '../../../core/schema/schema.js';
import { resources } from '../../../service/system/resources.js';
import { countable, drawAggregated, drawCounts, drawExtremes, drawTotals, orderable, summable } from './aggregate-types.js';
import { Claims, claimNames, type TypeNames, type TypeRole } from './claim-names.js';
import type { Drawing } from './drawing.js';
import { drawFilter, drawQuantifier } from './filter-input.js';
import { jsonFunctions } from './function-types.js';
import { isName } from './graphql-names.js';
import { drawMutated } from './mutated-type.js';
import { drawObject } from './object-type.js';
import { drawVersion } from './version-type.js';
import { drawChanges, drawInput, writableFields } from './write-inputs.js';

interface SchemaNames {
  readonly byCollection: ReadonlyMap<string, TypeNames>;
  /** Types of single fields: functions of JSON, unions of many-to-any. */
  readonly byField: ReadonlyMap<string, string>;
}

const namesOfSchema = new WeakMap<Schema, SchemaNames>();

/** Names are claimed for the whole schema, so that no caller's depend on what he may see. */
function nameTypes(schema: Schema): SchemaNames {
  const known = namesOfSchema.get(schema);
  if (known !== undefined) return known;
  const claims = new Claims();
  const byCollection = claimNames(schema.collections.values(), claims);
  const byField = new Map<string, string>();
  for (const [name, { object }] of byCollection) {
    for (const field of schema.collections.get(name)?.fields.values() ?? []) {
      const suffix = suffixOf(field);
      if (suffix !== null) byField.set(`${name}.${field.name}`, claims.claim(`${object}_${field.name}${suffix}`));
    }
  }
  const names = { byCollection, byField };
  namesOfSchema.set(schema, names);
  return names;
}

function suffixOf(field: Field): string | null {
  if (field.kind !== 'column' || !isName(field.name)) return null;
  if (field.relation?.kind === 'm2a') return '_union';
  return field.type === 'json' && !field.concealed ? '_func' : null;
}

const resourceOf = new Map(resources.map((resource) => [resource.collection, resource]));

export class TypeDrawing implements Drawing {
  readonly view: SchemaView;
  readonly #names: SchemaNames;
  readonly #makers = new Map<string, () => GraphQLNamedType>();
  readonly #made = new Map<string, GraphQLNamedType>();
  readonly #found = new Map<string, Collection | null>();

  constructor(view: SchemaView) {
    this.view = view;
    this.#names = nameTypes(view.schema);
    for (const name of this.#names.byCollection.keys()) this.#register(name);
  }

  /** Collections the caller may do this with, in the order of their names. */
  collections(action: Action): readonly Collection[] {
    return [...this.#names.byCollection.keys()].flatMap((name) => this.find(name, action) ?? []);
  }

  /** Collections the caller may change in some way. A singleton is there already: it can only be updated. */
  writable(): readonly Collection[] {
    const { collections } = this.view.schema;
    const actions = (collection: Collection): readonly Action[] => (collection.singleton ? ['update'] : ['create', 'update', 'delete']);
    return [...this.#names.byCollection.keys()].flatMap((name) => {
      const collection = collections.get(name);
      return collection !== undefined && actions(collection).some((action) => this.find(name, action) !== null) ? [collection] : [];
    });
  }

  find(name: string, action: Action): Collection | null {
    const key = `${action} ${name}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = this.#look(name, action);
    this.#found.set(key, found);
    return found;
  }

  #look(name: string, action: Action): Collection | null {
    const collection = this.#names.byCollection.has(name) ? findCollection(this.view, name, action) : null;
    if (collection === null || !isOffered(collection, action)) return null;
    if (action === 'read') return visibleFields(this.view, collection, action).some((field) => isName(field.name)) ? collection : null;
    if (action === 'create' || action === 'update') return writableFields(this, action, collection).length > 0 ? collection : null;
    return collection;
  }

  nameOf(collection: string): string {
    return this.#nameOf(collection, 'object');
  }

  /** How many types were made so far. */
  get size(): number {
    return this.#made.size;
  }

  type(name: string): GraphQLNamedType | undefined {
    const made = this.#made.get(name);
    if (made !== undefined) return made;
    const type = this.#makers.get(name)?.();
    if (type !== undefined) this.#made.set(name, type);
    return type;
  }

  /** Makes them all. */
  types(): readonly GraphQLNamedType[] {
    return [...this.#makers.keys()].flatMap((name) => this.type(name) ?? []);
  }

  object = (collection: string): GraphQLObjectType => this.#get(this.nameOf(collection));
  version = (collection: string): GraphQLObjectType => this.#get(this.#nameOf(collection, 'version'));
  filter = (collection: string): GraphQLInputObjectType => this.#get(this.#nameOf(collection, 'filter'));
  quantifier = (collection: string): GraphQLInputObjectType => this.#get(this.#nameOf(collection, 'quantifier'));
  input = (action: 'create' | 'update', collection: string): GraphQLInputObjectType => this.#get(this.#nameOf(collection, action));
  changes = (collection: string): GraphQLInputObjectType => this.#get(this.#nameOf(collection, 'changes'));
  aggregated = (collection: string): GraphQLObjectType => this.#get(this.#nameOf(collection, 'aggregated'));
  counts = (collection: string): GraphQLObjectType => this.#get(this.#nameOf(collection, 'counts'));
  totals = (collection: string): GraphQLObjectType | null => this.#getIf(this.#nameOf(collection, 'totals'));
  extremes = (collection: string): GraphQLObjectType | null => this.#getIf(this.#nameOf(collection, 'extremes'));
  mutated = (collection: string): GraphQLObjectType => this.#get(this.#nameOf(collection, 'mutated'));
  union = (collection: string, field: string): GraphQLUnionType => this.#get(this.#names.byField.get(`${collection}.${field}`) ?? '');
  jsonFunctions = (collection: string, field: string): GraphQLObjectType =>
    this.#get(this.#names.byField.get(`${collection}.${field}`) ?? '');

  #nameOf(collection: string, role: TypeRole): string {
    return this.#names.byCollection.get(collection)?.[role] ?? '';
  }

  /** The role in a name decides the kind of type its maker makes. */
  #get<Type extends GraphQLNamedType>(name: string): Type {
    const type = this.type(name);
    if (type === undefined) throw new Error(`there is no type "${name}" in this schema`);
    return type as Type;
  }

  #getIf<Type extends GraphQLNamedType>(name: string): Type | null {
    return (this.type(name) as Type | undefined) ?? null;
  }

  #register(name: string): void {
    const readable = this.find(name, 'read');
    if (readable !== null) this.#registerReading(readable);
    const writable = (['create', 'update'] as const).filter((action) => this.find(name, action) !== null);
    const collection = this.view.schema.collections.get(name);
    if (collection === undefined || writable.length === 0) return;
    for (const action of writable) this.#set(collection, action, (type) => drawInput(this, action, collection, type));
    this.#set(collection, 'changes', (type) => drawChanges(this, collection, type));
  }

  #registerReading(collection: Collection): void {
    this.#set(collection, 'object', () => drawObject(this, collection));
    this.#set(collection, 'filter', (type) => drawFilter(this, collection, type));
    this.#set(collection, 'quantifier', (type) => drawQuantifier(this, collection, type));
    this.#set(collection, 'aggregated', (type) => drawAggregated(this, collection, type));
    this.#setIf(collection, 'counts', countable, drawCounts);
    this.#setIf(collection, 'totals', summable, drawTotals);
    this.#setIf(collection, 'extremes', orderable, drawExtremes);
    if (!collection.system) {
      this.#set(collection, 'version', (type) => drawVersion(this, collection, type));
      this.#set(collection, 'mutated', (type) => drawMutated(this, collection, type));
    }
    for (const field of visibleFields(this.view, collection, 'read')) this.#registerField(collection, field);
  }

  #registerField(collection: Collection, field: Field): void {
    const name = this.#names.byField.get(`${collection.name}.${field.name}`);
    if (name === undefined || field.kind !== 'column') return;
    const { relation } = field;
    if (relation?.kind !== 'm2a') this.#makers.set(name, () => jsonFunctions(name));
    else if (relation.allowed.some((allowed) => this.find(allowed, 'read') !== null))
      this.#makers.set(name, () => this.#union(name, relation));
  }

  #union(name: string, relation: ManyToAny): GraphQLUnionType {
    const types = (): GraphQLObjectType[] =>
      relation.allowed.flatMap((allowed) => (this.find(allowed, 'read') === null ? [] : this.object(allowed)));
    return new GraphQLUnionType({ name, types });
  }

  #set(collection: Collection, role: TypeRole, make: (name: string) => GraphQLNamedType): void {
    const name = this.#nameOf(collection.name, role);
    this.#makers.set(name, () => make(name));
  }

  #setIf<Item>(
    collection: Collection,
    role: TypeRole,
    list: (drawing: Drawing, collection: Collection) => readonly Item[],
    make: (name: string, items: readonly Item[]) => GraphQLNamedType,
  ): void {
    const items = list(this, collection);
    if (items.length > 0) this.#set(collection, role, (name) => make(name, items));
  }
}

/** Of the system's own collections those with a path of their own; what the service records itself is read only. */
function isOffered(collection: Collection, action: Action): boolean {
  if (action !== 'read' && collection.readOnly) return false;
  if (!collection.system) return true;
  const resource = resourceOf.get(collection.name);
  return resource !== undefined && (action === 'read' || !resource.readOnly);
}
