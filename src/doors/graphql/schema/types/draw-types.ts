// The types drawn from the collections that a caller sees, by name. The meaning of each name is known beforehand; the type itself is drawn
// when it is first requested.

import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  GraphQLUnionType,
} from 'graphql';
import type { Action } from '../../../../core/access/permission.js';
import { findCollection, findField, type SchemaView, visibleFields } from '../../../../core/access/view.js';
import type { Collection } from '../../../../core/schema/schema.js';
import { resources } from '../../../../service/system/resources.js';
import { type NamedType, namesOf, type SchemaNames, type TypeRole } from '../names/claim-names.js';
import { choicesOf } from '../names/graphql-names.js';
import { drawChoices } from './column-scalar.js';
import { drawRole } from './draw-role.js';
import type { Drawing } from './drawing.js';
import { jsonFunctions } from './function-types.js';
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

  /** How many types it has drawn. */
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

  /** Draws all types. */
  types(): readonly GraphQLNamedType[] {
    return [...this.#names.types.keys()].flatMap((name) => this.type(name) ?? []);
  }

  /** A system collection may be named as the code names it. */
  find(given: string, action: Action): Collection | null {
    const name = this.view.schema.nameOf(given);
    const key = `${action} ${name}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = this.#findOffered(name, action);
    this.#found.set(key, found);
    return found;
  }

  #findOffered(name: string, action: Action): Collection | null {
    const collection = this.#names.collections.has(name) ? findCollection(this.view, name, action) : null;
    if (collection === null || !isOffered(collection, action)) return null;
    if (action === 'read') return visibleFields(this.view, collection, action).length > 0 ? collection : null;
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

  choices(collection: string, field: string): GraphQLEnumType | null {
    const found = this.view.schema.collections.get(collection)?.fields.get(field);
    return found === undefined || choicesOf(found) === null ? null : this.#getIf(this.#names.fields.get(`${collection}.${field}`) ?? '');
  }

  #nameOf(collection: string, role: TypeRole): string {
    return this.#names.collections.get(this.view.schema.nameOf(collection))?.[role] ?? '';
  }

  /** The type parameter is safe because the meaning of a name decides the kind of its type. */
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
    if (field.relation?.kind === 'm2a') return this.#union(name, field.relation.allowed);
    const choices = choicesOf(field);
    return choices === null ? jsonFunctions(name) : drawChoices(name, choices);
  }

  #union(name: string, allowed: readonly string[]): GraphQLUnionType | null {
    const seen = allowed.filter((collection) => this.find(collection, 'read') !== null);
    return seen.length === 0 ? null : new GraphQLUnionType({ name, types: () => seen.map(this.object) });
  }
}

/** System collections are offered if they have a path in REST; what only the service writes can only be read. */
function isOffered(collection: Collection, action: Action): boolean {
  if (action !== 'read' && collection.readOnly) return false;
  if (!collection.system) return true;
  const resource = resourceOf.get(collection.codeName ?? '');
  return resource !== undefined && (action === 'read' || !resource.readOnly);
}
