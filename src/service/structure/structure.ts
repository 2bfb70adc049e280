// Changes of collections, fields and relations (specification 4.4): each function below turns a request into a Change, and `openStructure`
// runs or previews it, and reads what a caller sees (describe/visible-structure.ts). The operations check who may change the structure.

import { type Caller, makeView } from '../../core/access/view.js';
import type { SchemaStore } from '../../core/engine/store/schema-store.js';
import { invalidPayload } from '../../core/errors/service-error.js';
import type { Schema } from '../../core/schema/schema.js';
import { openStructureChanger, type PlannedChange } from './change/change-structure.js';
import { type Affected, countAffected } from './change/count-affected.js';
import { type Break, findBreaks } from './change/find-breaks.js';
import type { StructureDeps } from './change/load-state.js';
import type { CollectionObject } from './describe/describe-collection.js';
import type { FieldObject } from './describe/describe-field.js';
import type { IndexObject } from './describe/describe-index.js';
import type { RelationObject } from './describe/describe-relation.js';
import { fromWire } from './describe/from-wire.js';
import type { ResolveStored } from './describe/guard-metadata.js';
import { asArray, asObject, asText } from './describe/payload.js';
import { type VisibleStructure, visibleStructure } from './describe/visible-structure.js';
import type { Planner } from './plan/change-set.js';
import { planDeleteCollection, planUpdateCollection } from './plan/plan-collection.js';
import { planCreateCollection } from './plan/plan-create-collection.js';
import { planCreateField } from './plan/plan-create-field.js';
import { planDeleteField } from './plan/plan-delete-field.js';
import { type IndexDraft, planCreateIndex, planDeleteIndex } from './plan/plan-index.js';
import { planCreateRelation, planDeleteRelation, planUpdateRelation } from './plan/plan-relation.js';
import { planUpdateField } from './plan/plan-update-field.js';
import { type Snapshot, takeSnapshot } from './snapshot/snapshot.js';
import { type Suggestion, suggestRelations } from './suggest/suggest-relations.js';

/** A requested change, to be run or previewed. */
export interface Change<T> {
  readonly planners: readonly Planner[];
  /** Builds the answer from the structure after the change. */
  answer(structure: VisibleStructure): T | Promise<T>;
}

interface NamedField {
  readonly collection: string;
  readonly field: string;
}

interface NamedIndex {
  readonly collection: string;
  readonly name: string;
}

/** What a change would do: its statements, the values and rows it would affect, and the dependents it would break. */
export interface Preview {
  readonly statements: readonly string[];
  readonly affected: { readonly values: readonly Affected[]; readonly metadata: Readonly<Record<string, number>> };
  readonly breaks: readonly Break[];
}

export interface Structure {
  /** The structure as the caller sees it. */
  visibleTo(caller: Caller): VisibleStructure;
  /** The answer shows what the caller sees of the new structure. */
  run<T>(caller: Caller, change: Change<T>): Promise<T>;
  preview(change: Change<unknown>): Promise<Preview>;
  snapshot(): Snapshot;
  /** Relations that nobody declared, from names and stored values. */
  suggestRelations(): Promise<readonly Suggestion[]>;
}

export function openStructure(deps: StructureDeps, store: SchemaStore, resolveStored: ResolveStored): Structure {
  const changer = openStructureChanger(deps, store);
  const visibleTo = (caller: Caller): VisibleStructure => visibleStructure(caller, resolveStored, deps.dialect.ddl);
  return {
    visibleTo,
    async run(caller, { planners, answer }) {
      await changer.change(planners);
      return answer(visibleTo({ ...caller, view: makeView(store.current(), caller.view.grants) }));
    },
    async preview({ planners }) {
      const { statements, inspected } = await changer.preview(planners, (planned) => inspectChange(deps, planned));
      return { statements, ...inspected };
    },
    snapshot: () => takeSnapshot(store.current(), deps.system.definitions),
    suggestRelations: () => suggestRelations(deps.dialect, store.current()),
  };
}

async function inspectChange(deps: StructureDeps, { connection, state, changeSet }: PlannedChange): Promise<Omit<Preview, 'statements'>> {
  const values = await countAffected(deps, connection, changeSet.changes, state.database);
  const metadata: Record<string, number> = {};
  for (const { collection } of changeSet.rows) metadata[collection] = (metadata[collection] ?? 0) + 1;
  return { affected: { values, metadata }, breaks: findBreaks(state, changeSet, await deps.dialect.views(connection)) };
}

/** Plans what a payload asks for, in the names of the wire that the database is on. */
const asked =
  (payload: unknown, plan: (payload: unknown, nameOf: Schema['nameOf']) => Planner): Planner =>
  (state) =>
    plan(fromWire(payload, state.schema.nameOf), state.schema.nameOf)(state);

/** The same of what is only named. */
const named = (plan: (nameOf: Schema['nameOf']) => Planner): Planner => asked(null, (_, nameOf) => plan(nameOf));

const nameIn = (payload: unknown, key: string): string => asText(asObject(payload, 'The payload')[key], `"${key}"`);

export const createCollections = (payload: unknown): Change<CollectionObject | readonly CollectionObject[]> => {
  const payloads = Array.isArray(payload) ? payload : [payload];
  return {
    planners: payloads.map((entry) => asked(entry, planCreateCollection)),
    async answer(structure) {
      const made = await Promise.all(payloads.map((entry) => structure.collection(nameIn(entry, 'collection'))));
      return Array.isArray(payload) ? made : single(made);
    },
  };
};

export const updateCollection = (name: string, payload: unknown): Change<CollectionObject> => ({
  planners: [asked(payload, (entry, nameOf) => planUpdateCollection(nameOf(name), entry))],
  answer: (structure) => structure.collection(name),
});

export const updateCollections = (payload: unknown): Change<readonly CollectionObject[]> => {
  const entries = asArray(payload, 'The payload').map((entry) => ({ entry, name: nameIn(entry, 'collection') }));
  return {
    planners: entries.map(({ name, entry }) => asked(entry, (read, nameOf) => planUpdateCollection(nameOf(name), read))),
    answer: (structure) => Promise.all(entries.map(({ name }) => structure.collection(name))),
  };
};

/** A deletion answers the name of what it deleted. */
export const deleteCollection = (collection: string): Change<{ readonly collection: string }> => ({
  planners: [named((nameOf) => planDeleteCollection(nameOf(collection)))],
  answer: () => ({ collection }),
});

export const createField = (collection: string, payload: unknown): Change<FieldObject> => ({
  planners: [asked(payload, (entry, nameOf) => planCreateField(nameOf(collection), entry))],
  answer: (structure) => structure.field(collection, nameIn(payload, 'field')),
});

export const updateField = (collection: string, field: string, payload: unknown): Change<FieldObject> => ({
  planners: [asked(payload, (entry, nameOf) => planUpdateField(nameOf(collection), field, entry))],
  answer: (structure) => structure.field(collection, field),
});

export const updateFields = (collection: string, payload: unknown): Change<readonly FieldObject[]> => {
  const entries = asArray(payload, 'The payload').map((entry) => ({ entry, field: nameIn(entry, 'field') }));
  return {
    planners: entries.map(({ field, entry }) => asked(entry, (read, nameOf) => planUpdateField(nameOf(collection), field, read))),
    answer: (structure) => entries.map(({ field }) => structure.field(collection, field)),
  };
};

export const deleteField = (collection: string, field: string): Change<NamedField> => ({
  planners: [named((nameOf) => planDeleteField(nameOf(collection), field))],
  answer: () => ({ collection, field }),
});

export const createRelation = (payload: unknown): Change<RelationObject> => ({
  planners: [asked(payload, planCreateRelation)],
  answer: (structure) => structure.relation(nameIn(payload, 'collection'), nameIn(payload, 'field')),
});

export const updateRelation = (collection: string, field: string, payload: unknown): Change<RelationObject> => ({
  planners: [asked(payload, (entry, nameOf) => planUpdateRelation(nameOf(collection), field, entry))],
  answer: (structure) => structure.relation(collection, field),
});

export const deleteRelation = (collection: string, field: string): Change<NamedField> => ({
  planners: [named((nameOf) => planDeleteRelation(nameOf(collection), field))],
  answer: () => ({ collection, field }),
});

/** If the name was generated, the answer finds the index by its fields, which no other index has. */
export const createIndex = (collection: string, draft: IndexDraft): Change<IndexObject> => ({
  planners: [named((nameOf) => planCreateIndex(nameOf(collection), draft))],
  answer: (structure) => {
    const isMade = ({ name, fields, unique }: IndexObject): boolean =>
      draft.name === null ? unique === draft.unique && fields.join('\0') === draft.fields.join('\0') : name === draft.name;
    return single(structure.indexesIn(collection).filter(isMade).toReversed());
  },
});

export const deleteIndex = (collection: string, name: string): Change<NamedIndex> => ({
  planners: [named((nameOf) => planDeleteIndex(nameOf(collection), name))],
  answer: () => ({ collection, name }),
});

function single<T>([first]: readonly T[]): T {
  if (first === undefined) throw invalidPayload('Nothing was asked for.');
  return first;
}
