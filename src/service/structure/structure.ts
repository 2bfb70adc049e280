// Collections, fields and relations as resources (specification 4.4): reading is filtered by what the caller sees, changing is for
// administrators. Every door calls these.

import { type Caller, makeView } from '../../core/access/view.js';
import type { SchemaStore } from '../../core/engine/schema-store.js';
import { forbidden, invalidPayload } from '../../core/errors/service-error.js';
import { openStructureChanger, type Rehearsal } from './change-structure.js';
import { type Affected, countAffected } from './count-affected.js';
import type { CollectionObject } from './describe-collection.js';
import type { FieldObject } from './describe-field.js';
import type { RelationObject } from './describe-relation.js';
import { type Break, findBreaks } from './find-breaks.js';
import { asArray, asObject, asText } from './payload.js';
import { planDeleteCollection, planUpdateCollection } from './plan-collection.js';
import { planCreateCollection } from './plan-create-collection.js';
import { planCreateField } from './plan-create-field.js';
import { planDeleteField } from './plan-delete-field.js';
import { planCreateRelation, planDeleteRelation, planUpdateRelation } from './plan-relation.js';
import { planUpdateField } from './plan-update-field.js';
import { type Snapshot, takeSnapshot } from './snapshot.js';
import type { StructureRules } from './structure-state.js';
import type { Plan } from './unit.js';
import { oneCollection, oneField, oneRelation } from './visible-structure.js';

/** A change that was asked for: not carried out yet, so that it can be previewed instead. */
export interface Change<T> {
  readonly plans: readonly Plan[];
  /** The answer, read from the schema after the change. */
  answer(caller: Caller): T;
}

/** What a change would do: its statements, the values it would take or touch, and what it would break. */
export interface Preview {
  readonly statements: readonly string[];
  readonly affected: { readonly values: readonly Affected[]; readonly metadata: Readonly<Record<string, number>> };
  readonly breaks: readonly Break[];
}

export interface Structure {
  /** `asked` is read after the right to ask was checked. */
  run<T>(caller: Caller, asked: () => Change<T>): Promise<T>;
  preview(caller: Caller, asked: () => Change<unknown>): Promise<Preview>;
  /** The document and, for administrators only, what it takes to make another one true here. */
  snapshot(caller: Caller): Snapshot;
}

export function openStructure(rules: StructureRules, store: SchemaStore): Structure {
  const changer = openStructureChanger(rules, store);
  return {
    async run(caller, asked) {
      if (!caller.accountability.admin) throw forbidden();
      const change = asked();
      await changer.change(change.plans);
      return change.answer({ ...caller, view: makeView(store.current(), caller.view.grants) });
    },
    async preview(caller, asked) {
      if (!caller.accountability.admin) throw forbidden();
      const { statements, seen } = await changer.rehearse(asked().plans, (rehearsal) => lookAhead(rules, rehearsal));
      return { statements, ...seen };
    },
    snapshot(caller) {
      if (!caller.accountability.admin) throw forbidden();
      return takeSnapshot(store.current(), rules.definitions);
    },
  };
}

async function lookAhead(rules: StructureRules, { connection, state, unit }: Rehearsal): Promise<Omit<Preview, 'statements'>> {
  const values = await countAffected(rules, connection, unit.changes, state.database);
  const metadata: Record<string, number> = {};
  for (const { collection } of unit.rows) metadata[collection] = (metadata[collection] ?? 0) + 1;
  return { affected: { values, metadata }, breaks: findBreaks(state, unit, await rules.dialect.views(connection)) };
}

const nothing = (): null => null;
const nameIn = (payload: unknown, key: string): string => asText(asObject(payload, 'The payload')[key], `"${key}"`);

export const createCollections = (payload: unknown): Change<CollectionObject | readonly CollectionObject[]> => {
  const payloads = Array.isArray(payload) ? payload : [payload];
  return {
    plans: payloads.map(planCreateCollection),
    answer(caller) {
      const made = payloads.map((entry) => oneCollection(caller, nameIn(entry, 'collection')));
      return Array.isArray(payload) ? made : single(made);
    },
  };
};

export const updateCollection = (name: string, payload: unknown): Change<CollectionObject> => ({
  plans: [planUpdateCollection(name, payload)],
  answer: (caller) => oneCollection(caller, name),
});

export const updateCollections = (payload: unknown): Change<readonly CollectionObject[]> => {
  const named = asArray(payload, 'The payload').map((entry) => ({ entry, name: nameIn(entry, 'collection') }));
  return {
    plans: named.map(({ name, entry }) => planUpdateCollection(name, entry)),
    answer: (caller) => named.map(({ name }) => oneCollection(caller, name)),
  };
};

export const deleteCollection = (name: string): Change<null> => ({ plans: [planDeleteCollection(name)], answer: nothing });

export const createField = (collection: string, payload: unknown): Change<FieldObject> => ({
  plans: [planCreateField(collection, payload)],
  answer: (caller) => oneField(caller, collection, nameIn(payload, 'field')),
});

export const updateField = (collection: string, field: string, payload: unknown): Change<FieldObject> => ({
  plans: [planUpdateField(collection, field, payload)],
  answer: (caller) => oneField(caller, collection, field),
});

export const updateFields = (collection: string, payload: unknown): Change<readonly FieldObject[]> => {
  const named = asArray(payload, 'The payload').map((entry) => ({ entry, field: nameIn(entry, 'field') }));
  return {
    plans: named.map(({ field, entry }) => planUpdateField(collection, field, entry)),
    answer: (caller) => named.map(({ field }) => oneField(caller, collection, field)),
  };
};

export const deleteField = (collection: string, field: string): Change<null> => ({
  plans: [planDeleteField(collection, field)],
  answer: nothing,
});

export const createRelation = (payload: unknown): Change<RelationObject> => ({
  plans: [planCreateRelation(payload)],
  answer: (caller) => oneRelation(caller, nameIn(payload, 'collection'), nameIn(payload, 'field')),
});

export const updateRelation = (collection: string, field: string, payload: unknown): Change<RelationObject> => ({
  plans: [planUpdateRelation(collection, field, payload)],
  answer: (caller) => oneRelation(caller, collection, field),
});

export const deleteRelation = (collection: string, field: string): Change<null> => ({
  plans: [planDeleteRelation(collection, field)],
  answer: nothing,
});

function single<T>([first]: readonly T[]): T {
  if (first === undefined) throw invalidPayload('Nothing was asked for.');
  return first;
}
