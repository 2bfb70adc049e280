// The types drawn from the collections a caller sees, by name. A type is made when first asked for; what its name means is known before.

import { type GraphQLInputObjectType, type GraphQLNamedType, type GraphQLObjectType, GraphQLUnionType } from 'graphql';
import type { Action } from '../../../core/access/permission.js';
import { findCollection, findField, type SchemaView, visibleFields } from '../../../core/access/view.js';
import type { Collection } from '../../../core/schema/schema.js';
import { resources } from '../../../service/system/resources.js';
import { type NamedType, namesOf, type SchemaNames, type TypeRole } from './claim-names.js';
import { drawRole } from './draw-role.js';
import type { Drawing } from './drawing.js';
import { jsonFunctions } from './function-types.js';
import { isName } from './graphql-names.js';
import { writableFields } from './write-inputs.js';

const resourceOf = new Map(resources.map((resource) => [resource.collection, resource]));

export class TypeDrawing implements Drawing {
  readonly view: SchemaView;
  readonly #names: SchemaNames;
  readonly #made = new Map<string, GraphQLNamedType>();
  readonly #found = new Map<string, Collection | null>();

  constructor(view: SchemaView) {
    this.view = view;
    this.#names = namesOf(view.schema);
  }

  /** How many types were made so far. */
  get size(): number {
    return this.#made.size;
  }

  type(name: string): GraphQLNamedType | undefined {
    const made = this.#made.get(name);
    if (made !== undefined) return made;
    const meaning = this.#names.types.get(name);
    const type = meaning === undefined ? null : this.#draw(name, meaning);
    if (type !== null) this.#made.set(name, type);
    return type ?? undefined;
  }

  /** Makes them all. */
  types(): readonly GraphQLNamedType[] {
    return [...this.#names.types.keys()].flatMap((name) => this.type(name) ?? []);
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
    const collection = this.#names.collections.has(name) ? findCollection(this.view, name, action) : null;
    if (collection === null || !isOffered(collection, action)) return null;
    if (action === 'read') return visibleFields(this.view, collection, action).some((field) => isName(field.name)) ? collection : null;
    if (action === 'create' || action === 'update') return writableFields(this, action, collection).length > 0 ? collection : null;
    return collection;
  }

  nameOf(collection: string): string {
    return this.#nameOf(collection, 'object');
  }

  object = (collection: string): GraphQLObjectType => this.#get(this.nameOf(collection));
  version = (collection: string): GraphQLObjectType => this.#get(this.#nameOf(collection, 'version'));
  filter = (collection: string): GraphQLInputObjectType => this.#get(this.#nameOf(collection, 'filter'));
  quantifier = (collection: string): GraphQLInputObjectType => this.#get(this.#nameOf(collection, 'quantifier'));
  input = (action: 'create' | 'update', collection: string): GraphQLInputObjectType => this.#get(this.#nameOf(collection, action));
  changes = (collection: string): GraphQLInputObjectType => this.#get(this.#nameOf(collection, 'changes'));
  aggregated = (collection: string): GraphQLObjectType => this.#get(this.#nameOf(collection, 'aggregated'));
  counts = (collection: string): GraphQLObjectType | null => this.#getIf(this.#nameOf(collection, 'counts'));
  totals = (collection: string): GraphQLObjectType | null => this.#getIf(this.#nameOf(collection, 'totals'));
  extremes = (collection: string): GraphQLObjectType | null => this.#getIf(this.#nameOf(collection, 'extremes'));
  mutated = (collection: string): GraphQLObjectType => this.#get(this.#nameOf(collection, 'mutated'));
  union = (collection: string, field: string): GraphQLUnionType => this.#get(this.#names.fields.get(`${collection}.${field}`) ?? '');
  jsonFunctions = (collection: string, field: string): GraphQLObjectType =>
    this.#get(this.#names.fields.get(`${collection}.${field}`) ?? '');

  #nameOf(collection: string, role: TypeRole): string {
    return this.#names.collections.get(collection)?.[role] ?? '';
  }

  /** What a name means decides the kind of type it is made as. */
  #get<Type extends GraphQLNamedType>(name: string): Type {
    const type = this.#getIf<Type>(name);
    if (type === null) throw new Error(`there is no type "${name}" in this schema`);
    return type;
  }

  #getIf<Type extends GraphQLNamedType>(name: string): Type | null {
    return (this.type(name) as Type | undefined) ?? null;
  }

  #draw(name: string, meaning: NamedType): GraphQLNamedType | null {
    if (meaning.kind === 'type') return drawRole(this, meaning.role, meaning.collection, name);
    const collection = this.find(meaning.collection, 'read');
    const field = collection === null ? null : findField(this.view, collection, meaning.field, 'read');
    if (field?.kind !== 'column') return null;
    return field.relation?.kind === 'm2a' ? this.#union(name, field.relation.allowed) : jsonFunctions(name);
  }

  #union(name: string, allowed: readonly string[]): GraphQLUnionType | null {
    const seen = allowed.filter((collection) => this.find(collection, 'read') !== null);
    return seen.length === 0 ? null : new GraphQLUnionType({ name, types: () => seen.map(this.object) });
  }
}

/** Of the system's own collections those with a path of their own; what the service records itself is read only. */
function isOffered(collection: Collection, action: Action): boolean {
  if (action !== 'read' && collection.readOnly) return false;
  if (!collection.system) return true;
  const resource = resourceOf.get(collection.name);
  return resource !== undefined && (action === 'read' || !resource.readOnly);
}
