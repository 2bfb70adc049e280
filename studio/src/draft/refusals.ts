// Which field of which staged item a refusal is about. The service names collection, field and the names of the fields that lead there; among
// several entries of a list, the value tells which one it means. Pure, imports no framework.

import type { ErrorEntry } from '../schema/error-entry.js';
import type { Collection, Schema } from '../schema/model.js';
import type { Edits } from './item.js';
import { entriesOf, relatedOf } from './staged.js';

interface Step {
  readonly field: string;
  /** The id of the staged entry. */
  readonly entry: string;
}

export interface Refusal {
  /** The way from the form to the item; empty for the item of the form itself. */
  readonly steps: readonly Step[];
  readonly field: string;
  readonly message: string;
}

interface Place {
  readonly steps: readonly Step[];
  /** Names of fields as the service's `path` has them: those of junctions included. */
  readonly path: readonly string[];
  readonly collection: Collection;
  readonly edits: Edits;
}

function placesOf(schema: Schema, root: Place): readonly Place[] {
  const { collection, edits, steps, path } = root;
  const below = Object.entries(edits).flatMap(([name, value]) => {
    const relation = collection.fieldsByName.get(name)?.relation ?? null;
    const names = relation?.kind === 'm2m' ? [...path, name, relation.junctionField] : [...path, name];
    return entriesOf(value).flatMap((entry) => {
      const related = relatedOf(schema, relation, entry);
      if (related === undefined) return [];
      return placesOf(schema, {
        collection: related,
        edits: entry.edits,
        steps: [...steps, { field: name, entry: entry.id }],
        path: names,
      });
    });
  });
  return [root, ...below];
}

/** Refusals with their places; null for an answer that names no field of the draft. */
export function placeRefusals(
  schema: Schema,
  collection: Collection,
  edits: Edits,
  errors: readonly ErrorEntry[],
): readonly (Refusal | null)[] {
  const places = placesOf(schema, { collection, edits, steps: [], path: [] });
  return errors.flatMap((error) => {
    const { field } = error.extensions;
    const found = field === undefined ? [] : choosePlaces(places, error, field);
    if (field === undefined || found.length === 0) return [null];
    return found.map((place) => {
      const known = place.collection.fieldsByName.get(field);
      const isRule = error.extensions.code === 'FAILED_VALIDATION' && error.extensions.type !== 'required';
      const message = isRule && known?.validationMessage != null ? known.validationMessage : error.message;
      return { steps: place.steps, field, message };
    });
  });
}

/** Kinds of failed rules that the database reports. */
const byDatabase: ReadonlySet<string> = new Set(['check', 'partition', 'trigger']);

function choosePlaces(places: readonly Place[], { extensions }: ErrorEntry, field: string): readonly Place[] {
  const { code, path, collection, type = '', value } = extensions;
  const names = (path ?? []).filter((name) => typeof name === 'string' && name !== field);
  // The service follows the path itself; where the database refuses, an empty path says nothing.
  const isExact = names.length > 0 || (path !== undefined && code === 'FAILED_VALIDATION' && !byDatabase.has(type));
  const along = places.filter((place) =>
    isExact
      ? place.path.join('.') === names.join('.')
      : collection === undefined
        ? place.steps.length === 0
        : place.collection.name === collection,
  );
  const able = along.filter((place) => place.collection.fieldsByName.has(field));
  const isMissing = type === 'required' || type === 'nnull';
  const likely = able.filter(({ edits }) => {
    if (isMissing) return (edits[field] ?? null) === null;
    return field in edits && (value === undefined || value === null || String(edits[field]) === String(value));
  });
  return likely.length > 0 ? likely : able;
}

/** Refusals for the form of one entry, seen from the form that lists it. */
export const refusalsBelow = (refusals: readonly Refusal[], field: string, entry: string): readonly Refusal[] =>
  refusals.flatMap((refusal) => {
    const [first, ...steps] = refusal.steps;
    return first?.field === field && first.entry === entry ? [{ ...refusal, steps }] : [];
  });

/** Whether a refusal is about this field of the form, or about an item staged below it. */
export const isAbout = ({ steps, field }: Refusal, name: string): boolean => (steps[0]?.field ?? field) === name;
