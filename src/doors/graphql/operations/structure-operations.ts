// Collections, fields and relations: reading what the caller sees of them, changing them for administrators.

import { GraphQLBoolean, GraphQLEnumType, GraphQLList, GraphQLNonNull, type GraphQLOutputType, GraphQLString } from 'graphql';
import { grantOf } from '../../../core/access/view.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import { applyDiff, diffSnapshot } from '../../../service/structure/migrate-structure.js';
import { selectCollections } from '../../../service/structure/select-collections.js';
import * as change from '../../../service/structure/structure.js';
import * as visible from '../../../service/structure/visible-structure.js';
import { jsonScalar } from '../schema/scalars.js';
import { isAdministrator, type Operation, type OperationCall } from './operation.js';
import { collectionTypes, deletedCollection, deletedField, deletedRelation, fieldTypes, relationTypes } from './structure-types.js';

export interface StructureSources {
  readonly structure: change.Structure;
  /** What a snapshot says of its maker. */
  readonly origin: { readonly tain: string; readonly vendor: string };
}

type Change = change.Change<unknown>;

const given = { type: new GraphQLNonNull(GraphQLString) };
const listOf = (type: GraphQLOutputType): GraphQLOutputType => new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));
const namesOf = ({ args }: OperationCall): { readonly collection: string; readonly field: string } => ({
  collection: String(args['collection']),
  field: String(args['field']),
});

export const structureOperations = (sources: StructureSources): readonly Operation[] => [
  ...readings(),
  ...changes(sources),
  ...documents(sources),
];

type Metadata = 'service_collections' | 'service_fields' | 'service_relations';

function reading(metadata: Metadata, operation: Omit<Operation, 'kind' | 'isOffered'>): Operation {
  return { ...operation, kind: 'query', isOffered: ({ view }) => grantOf(view, metadata, 'read') !== null };
}

/** Texts where the schema has texts: a default may be any JSON value. */
function withTextDefault(field: unknown): unknown {
  const { schema } = field as { readonly schema: Readonly<Record<string, unknown>> | null };
  const value = schema?.['default_value'];
  if (typeof value !== 'object' || value === null) return field;
  return { ...(field as object), schema: { ...schema, default_value: JSON.stringify(value) } };
}

function readings(): readonly Operation[] {
  const { output: collection } = collectionTypes;
  const { output: field } = fieldTypes;
  const { output: relation } = relationTypes;
  const both = { collection: given, field: given };
  const inCollection = { collection: given };
  return [
    reading('service_collections', { name: 'collections', type: listOf(collection), run: ({ caller }) => visible.listCollections(caller) }),
    reading('service_collections', {
      name: 'collections_by_name',
      type: collection,
      args: { name: given },
      run: ({ caller, args }) => visible.oneCollection(caller, String(args['name'])),
    }),
    reading('service_fields', {
      name: 'fields',
      type: listOf(field),
      run: ({ caller }) => visible.listFields(caller).map(withTextDefault),
    }),
    reading('service_fields', {
      name: 'fields_in_collection',
      type: listOf(field),
      args: inCollection,
      run: (call) => visible.listFieldsIn(call.caller, namesOf(call).collection).map(withTextDefault),
    }),
    reading('service_fields', {
      name: 'fields_by_name',
      type: field,
      args: both,
      run: (call) => withTextDefault(visible.oneField(call.caller, namesOf(call).collection, namesOf(call).field)),
    }),
    reading('service_relations', { name: 'relations', type: listOf(relation), run: ({ caller }) => visible.listRelations(caller) }),
    reading('service_relations', {
      name: 'relations_in_collection',
      type: listOf(relation),
      args: inCollection,
      run: (call) => visible.listRelationsOf(call.caller, namesOf(call).collection),
    }),
    reading('service_relations', {
      name: 'relations_by_name',
      type: relation,
      args: both,
      run: (call) => visible.oneRelation(call.caller, namesOf(call).collection, namesOf(call).field),
    }),
  ];
}

/** What each change is asked with; previews ask the same. */
const asked: Readonly<Record<string, (call: OperationCall) => Change>> = {
  create_collection: ({ args }) => change.createCollections(args['data']),
  update_collection: (call) => change.updateCollection(namesOf(call).collection, call.args['data']),
  update_collections: ({ args }) => change.updateCollections(args['data']),
  delete_collection: (call) => change.deleteCollection(namesOf(call).collection),
  create_field: (call) => change.createField(namesOf(call).collection, call.args['data']),
  update_field: (call) => change.updateField(namesOf(call).collection, namesOf(call).field, call.args['data']),
  update_fields: (call) => change.updateFields(namesOf(call).collection, call.args['data']),
  delete_field: (call) => change.deleteField(namesOf(call).collection, namesOf(call).field),
  create_relation: ({ args }) => change.createRelation(args['data']),
  update_relation: (call) => change.updateRelation(namesOf(call).collection, namesOf(call).field, call.args['data']),
  delete_relation: (call) => change.deleteRelation(namesOf(call).collection, namesOf(call).field),
  apply: ({ args }) => applyDiff(args['data'], { force: args['force'] === true, lossy: args['force'] === true || args['lossy'] === true }),
};

function ask(name: string, call: OperationCall): Change {
  const make = asked[name];
  if (make === undefined) throw invalidPayload(`"${name}" is no change of structure.`);
  return make(call);
}

function changes({ structure }: StructureSources): readonly Operation[] {
  const changing = (name: string, what: string, type: GraphQLOutputType, args: NonNullable<Operation['args']>): Operation => ({
    kind: 'mutation',
    name,
    type,
    args,
    isOffered: isAdministrator,
    once: true,
    // What is gone is answered by its name.
    run: async (call) => (await structure.run(call.caller, () => ask(what, call))) ?? call.args,
  });
  const both = { collection: given, field: given };
  const data = (input: typeof fieldTypes.input) => ({ data: { type: new GraphQLNonNull(input) } });
  const list = (input: typeof fieldTypes.input) => ({ data: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(input))) } });
  const [collection, field, relation] = [collectionTypes, fieldTypes, relationTypes];
  return [
    changing('create_collections_item', 'create_collection', collection.output, data(collection.input)),
    changing('update_collections_item', 'update_collection', collection.output, { collection: given, ...data(collection.input) }),
    changing('update_collections_items', 'update_collections', listOf(collection.output), list(collection.input)),
    changing('delete_collections_item', 'delete_collection', deletedCollection, { collection: given }),
    changing('create_fields_item', 'create_field', field.output, { collection: given, ...data(field.input) }),
    changing('update_fields_item', 'update_field', field.output, { ...both, ...data(field.input) }),
    changing('update_fields_items', 'update_fields', listOf(field.output), { collection: given, ...list(field.input) }),
    changing('delete_fields_item', 'delete_field', deletedField, both),
    changing('create_relations_item', 'create_relation', relation.output, data(relation.input)),
    changing('update_relations_item', 'update_relation', relation.output, { ...both, ...data(relation.input) }),
    changing('delete_relations_item', 'delete_relation', deletedRelation, both),
  ];
}

const modeEnum = new GraphQLEnumType({ name: 'structure_diff_mode', values: { mirror: {}, merge: {} } });
const changeEnum = new GraphQLEnumType({
  name: 'structure_change',
  values: Object.fromEntries(Object.keys(asked).map((name) => [name, {}])),
});
const names = { type: new GraphQLList(new GraphQLNonNull(GraphQLString)) };
const json = { type: new GraphQLNonNull(jsonScalar) };
const flag = { type: GraphQLBoolean };
const listOrNull = (value: unknown): readonly string[] | null => (Array.isArray(value) ? value.map(String) : null);

/** The structure as a document, what differs from another one, and what a change would do. */
function documents({ structure, origin }: StructureSources): readonly Operation[] {
  const operations: readonly Omit<Operation, 'isOffered' | 'type'>[] = [
    {
      kind: 'query',
      name: 'schema_snapshot',
      args: { include: names, exclude: names },
      run: ({ caller, args }) => {
        const part = selectCollections(structure.snapshot(caller), listOrNull(args['include']), listOrNull(args['exclude']));
        return { version: 1, ...origin, ...part, systemFields: [] };
      },
    },
    {
      kind: 'query',
      name: 'schema_diff',
      args: { snapshot: json, mode: { type: modeEnum } },
      run: ({ caller, args }) => diffSnapshot(structure.snapshot(caller), args['snapshot'], args['mode'] === 'merge' ? 'merge' : 'mirror'),
    },
    {
      kind: 'query',
      name: 'structure_preview',
      args: {
        change: { type: new GraphQLNonNull(changeEnum) },
        collection: { type: GraphQLString },
        field: { type: GraphQLString },
        data: { type: jsonScalar },
        force: flag,
        lossy: flag,
      },
      run: (call) => structure.preview(call.caller, () => ask(String(call.args['change']), call)),
    },
    {
      kind: 'mutation',
      name: 'schema_apply',
      once: true,
      args: { data: json, force: flag, lossy: flag },
      run: async (call) => {
        await structure.run(call.caller, () => ask('apply', call));
        return true;
      },
    },
  ];
  return operations.map((operation) => ({
    ...operation,
    type: operation.kind === 'query' ? jsonScalar : GraphQLBoolean,
    isOffered: isAdministrator,
  }));
}
