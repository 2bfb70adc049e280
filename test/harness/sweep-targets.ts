// The collections that a sweep tests, as the service describes them, each with some of its items.

import type { Answer, Api } from './api.js';

export type Item = Readonly<Record<string, unknown>>;

export interface SweepField {
  readonly name: string;
  readonly type: string;
  /** The type, the vendor's name of it, and what else changes how requests for the field are answered. */
  readonly kind: string;
  readonly isNullable: boolean;
  readonly isGenerated: boolean;
  /** A value of the field and its item; null when the field is null or empty in all items. */
  readonly sample: { readonly value: unknown; readonly item: Item } | null;
}

export interface SweepTarget {
  readonly collection: string;
  /** In key order; empty for collections that cannot be written. */
  readonly key: readonly string[];
  /** Fields with a column. */
  readonly fields: readonly SweepField[];
  /** The names of relations, from both sides. */
  readonly relations: readonly string[];
  readonly items: readonly Item[];
}

interface FieldFacts {
  readonly collection: string;
  readonly field: string;
  readonly type: string;
  readonly schema: Readonly<Record<string, unknown>> | null;
}

interface RelationFacts {
  readonly collection: string;
  readonly field: string;
  readonly related_collection: string | null;
  readonly meta: { readonly one_field: string | null } | null;
}

const itemsPerCollection = 20;

export async function describeCollections(api: Api, wanted: readonly string[] | null): Promise<readonly SweepTarget[]> {
  const fields = (await ask(api, '/fields')) as readonly FieldFacts[];
  const relations = (await ask(api, '/relations')) as readonly RelationFacts[];
  const names = [...new Set(fields.map(({ collection }) => collection))].filter((name) => !name.startsWith('service_'));
  const targets: SweepTarget[] = [];
  for (const name of wanted ?? names) targets.push(await describeCollection(api, name, fields, relations));
  return targets;
}

async function ask(api: Api, path: string): Promise<unknown> {
  const answer = await api.get(path);
  if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${answer.text}`);
  return answer.body.data;
}

async function describeCollection(
  api: Api,
  collection: string,
  allFields: readonly FieldFacts[],
  allRelations: readonly RelationFacts[],
): Promise<SweepTarget> {
  const items = (await ask(api, `${itemsPath(collection)}?limit=${itemsPerCollection}&fields=*`)) as readonly Item[];
  const columns = allFields.filter((field) => field.collection === collection && field.schema !== null);
  return {
    collection,
    key: columns.filter(({ schema }) => schema?.['is_primary_key'] === true).map(({ field }) => field),
    fields: columns.map(({ field, type, schema }) => ({
      name: field,
      type,
      kind: JSON.stringify([type, schema?.['data_type'], schema?.['is_nullable'], schema?.['is_primary_key'], schema?.['is_generated']]),
      isNullable: schema?.['is_nullable'] === true,
      isGenerated: schema?.['is_generated'] === true,
      sample: sampleOf(field, items),
    })),
    relations: allRelations.flatMap((relation) => [
      ...(relation.collection === collection && relation.related_collection !== null ? [relation.field] : []),
      ...(relation.related_collection === collection ? [relation.meta?.one_field ?? []].flat() : []),
    ]),
    items,
  };
}

/** Operators take no empty text. */
function sampleOf(field: string, items: readonly Item[]): SweepField['sample'] {
  const item = items.find((candidate) => candidate[field] !== null && candidate[field] !== undefined && candidate[field] !== '');
  return item === undefined ? null : { value: item[field], item };
}

export const itemsPath = (collection: string): string => `/items/${encodeURIComponent(collection)}`;

export const keyOf = ({ key }: SweepTarget, item: Item): string => key.map((name) => encodeURIComponent(String(item[name]))).join(',');

/** The same targets with one field of each kind: fields of one kind are answered by the same code. Relations stay. */
export function oncePerKind(targets: readonly SweepTarget[]): readonly SweepTarget[] {
  const seen = new Set<string>();
  return targets.map((target) => ({
    ...target,
    fields: target.fields.filter(({ kind, sample }) => {
      const known = `${kind}${sample === null}${target.key.length}`;
      return !seen.has(known) && seen.add(known);
    }),
  }));
}

/** Runs a few at a time: a sweep sends many requests and is not a load test. */
export async function inTurns<T>(work: readonly (() => Promise<readonly T[]>)[]): Promise<readonly T[]> {
  const results: T[] = [];
  for (let from = 0; from < work.length; from += atOnce)
    results.push(...(await Promise.all(work.slice(from, from + atOnce).map((task) => task()))).flat());
  return results;
}

const atOnce = 4;

export const isBroken = ({ status }: Answer): boolean => status >= 500;

/** Whether both are the same item. Without a key any two are. */
export const isSame = ({ key }: SweepTarget, one: Item, other: Item): boolean =>
  key.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));

export const describeFailure = (target: SweepTarget, what: string, answer: Answer): string =>
  `${target.collection}: ${what} answers ${answer.status} ${answer.text.slice(0, 300)}`;
