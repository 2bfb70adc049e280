// Saves staged cells as one request, all or nothing, and takes a save back the same way. Before either, the cells are read again: what
// somebody else changed meanwhile is not overwritten without being seen.

import { ApiError, request } from '../../api/client.js';
import { isEqual } from '../../draft/draft.js';
import type { Item } from '../../draft/item.js';
import { payloadOf } from '../../draft/staged.js';
import type { ErrorEntry } from '../../schema/error-entry.js';
import { escapeName } from '../../schema/field-path.js';
import { keyFields, keyText, keyValue } from '../../schema/item-key.js';
import type { Collection, Schema } from '../../schema/model.js';
import { pathsOfField } from '../../schema/templates.js';
import { itemsPath } from '../../studio-context.js';
import type { Row } from '../rows.js';
import type { StagedRow } from './cell-edits.js';

interface Target {
  readonly schema: Schema;
  readonly collection: Collection;
  /** What a list reads of a row. */
  readonly fields: readonly string[];
}

type StagedRows = ReadonlyMap<string, StagedRow>;

/** A cell that somebody else changed after it was read. */
export interface Overtaken {
  readonly id: string;
  readonly field: string;
  /** What is stored now. */
  readonly theirs: unknown;
}

export async function findOvertaken({ schema, collection }: Target, staged: StagedRows): Promise<readonly Overtaken[]> {
  const changed = [...staged].filter(([, row]) => row.key !== null);
  if (changed.length === 0) return [];
  const names = [...new Set(changed.flatMap(([, { cells }]) => Object.keys(cells)))];
  const fields = [...collection.keys.map(escapeName), ...names.flatMap((name) => pathsOf(schema, collection, name))];
  const body = { keys: changed.map(([, row]) => row.key), query: { fields, limit: -1 } };
  const { data } = await request<readonly Row[]>('SEARCH', itemsPath(collection), { body });
  const stored = new Map(data.map((row) => [keyText(collection, row), row]));
  return changed.flatMap(([id, { cells }]) => {
    const row = stored.get(id);
    if (row === undefined) return [];
    return Object.entries(cells).flatMap(([field, { base, value }]) => {
      const theirs = row[field] ?? null;
      const isTheirs = !isSame(schema, collection, field, theirs, base) && !isSame(schema, collection, field, theirs, value);
      return isTheirs ? [{ id, field, theirs }] : [];
    });
  });
}

const pathsOf = (schema: Schema, collection: Collection, name: string): readonly string[] => {
  const field = collection.fieldsByName.get(name);
  return field === undefined ? [escapeName(name)] : pathsOfField(schema, field);
};

/** Related items are compared by their keys, values as the service would store them. */
function isSame(schema: Schema, collection: Collection, field: string, one: unknown, other: unknown): boolean {
  const plain = (value: unknown) => payloadOf(schema, collection, { [field]: value ?? null })[field];
  const [left, right] = [plain(one), plain(other)];
  if (isEqual(left, right)) return true;
  if (left === null || right === null || typeof left === 'object' || typeof right === 'object') return false;
  return String(left) === String(right) || Number(left) === Number(right);
}

export interface Saved {
  readonly updated: readonly Row[];
  readonly created: readonly Row[];
}

interface Step {
  readonly method: 'PATCH' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body: unknown;
}

export async function saveCells(target: Target, staged: StagedRows, idempotencyKey: string): Promise<Saved> {
  const operations = operationsOf(target, staged);
  const answers = await sendBatch(operations, idempotencyKey);
  const of = (method: Step['method']) => answers[operations.findIndex((step) => step.method === method)] ?? [];
  return { updated: of('PATCH'), created: of('POST') };
}

function operationsOf(target: Target, staged: StagedRows): readonly Step[] {
  const [changes, additions] = [changesOf(target, staged), additionsOf(target, staged)];
  const path = pathWithFields(target);
  return [
    ...(changes.length === 0 ? [] : [{ method: 'PATCH' as const, path, body: changes }]),
    ...(additions.length === 0 ? [] : [{ method: 'POST' as const, path, body: additions }]),
  ];
}

/** The edits that undo a save. They are based on what the service stored, which may be another form of what was sent. */
export function inverseOf({ collection }: Target, staged: StagedRows, updated: readonly Row[]): StagedRows {
  const stored = new Map(updated.map((row) => [keyText(collection, row), row]));
  const turned = [...staged].flatMap(([id, { key, cells }]) => {
    if (key === null) return [];
    const row = stored.get(id) ?? {};
    const back = Object.entries(cells).map(([field, { base, value }]) => [field, { base: row[field] ?? value, value: base ?? null }]);
    return [[id, { key, cells: Object.fromEntries(back) }] as const];
  });
  return new Map(turned);
}

/** Stores the values of before again and deletes what the save created. */
export async function takeBack(target: Target, inverse: StagedRows, created: readonly Row[]): Promise<readonly Row[]> {
  const changes = changesOf(target, inverse);
  const operations: Step[] = [
    ...(changes.length === 0 ? [] : [{ method: 'PATCH' as const, path: pathWithFields(target), body: changes }]),
    ...(created.length === 0
      ? []
      : [{ method: 'DELETE' as const, path: itemsPath(target.collection), body: created.map((row) => keyValue(target.collection, row)) }]),
  ];
  const answers = await sendBatch(operations);
  return changes.length === 0 ? [] : (answers[0] ?? []);
}

const pathWithFields = ({ collection, fields }: Target): string =>
  `${itemsPath(collection)}?${new URLSearchParams({ fields: fields.join(',') })}`;

const valuesOf = ({ cells }: StagedRow): Item => Object.fromEntries(Object.entries(cells).map(([field, { value }]) => [field, value]));

const changesOf = ({ schema, collection }: Target, staged: StagedRows): readonly Item[] =>
  [...staged.values()].flatMap((row) =>
    row.key === null ? [] : [{ ...payloadOf(schema, collection, valuesOf(row)), ...keyFields(collection, row.key) }],
  );

const additionsOf = ({ schema, collection }: Target, staged: StagedRows): readonly Item[] =>
  [...staged.values()].flatMap((row) => (row.key === null ? [payloadOf(schema, collection, valuesOf(row))] : []));

interface StepAnswer {
  readonly status: number;
  readonly body: { readonly data?: readonly Row[] } | null;
}

/**
 * Finds the row that the database refuses without naming it, by bisection with dry runs: it is the last row of the shortest prefix that is
 * refused.
 */
export async function findRefusedRow(target: Target, staged: StagedRows): Promise<string | null> {
  const rows = [...staged];
  let [low, high] = [0, rows.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isTaken(target, new Map(rows.slice(0, middle + 1)))) low = middle + 1;
    else high = middle;
  }
  return rows[low]?.[0] ?? null;
}

async function isTaken(target: Target, staged: StagedRows): Promise<boolean> {
  try {
    await request('POST', '/batch', { body: { operations: operationsOf(target, staged), dry_run: true } });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) return false;
    throw error;
  }
}

async function sendBatch(operations: readonly Step[], idempotencyKey?: string): Promise<readonly (readonly Row[])[]> {
  const options = { body: { operations }, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
  const { data } = await request<readonly StepAnswer[]>('POST', '/batch', options);
  return data.map(({ body }) => body?.data ?? []);
}

interface CellRefusal {
  readonly id: string;
  readonly field: string;
  readonly message: string;
}

/** Refusals with their cells; those that name none are messages of their own. */
export function placeCellRefusals(
  staged: StagedRows,
  error: unknown,
): { readonly cells: readonly CellRefusal[]; readonly others: readonly string[] } {
  const entries = error instanceof ApiError ? error.entries : [];
  const [changed, added] = [[...staged].filter(([, { key }]) => key !== null), [...staged].filter(([, { key }]) => key === null)];
  const cells: CellRefusal[] = [];
  const others: string[] = [];
  for (const { message, extensions } of entries) {
    const isAdded = added.length > 0 && extensions.operation === (changed.length > 0 ? 1 : 0);
    const found = findCell(isAdded ? added : changed, extensions);
    if (found === null) others.push(message);
    else cells.push({ ...found, message });
  }
  return { cells, others };
}

type StagedList = readonly (readonly [string, StagedRow])[];

/** Finds the cell by the index in the error if there is one, else by the refused value. */
function findCell(
  rows: StagedList,
  { field, index, value }: ErrorEntry['extensions'],
): { readonly id: string; readonly field: string } | null {
  if (field === undefined) return null;
  const at = index === undefined ? undefined : rows[index];
  if (at !== undefined) return { id: at[0], field };
  const holders = rows.filter(([, { cells }]) => field in cells);
  const matching = holders.find(([, { cells }]) => value !== undefined && String(cells[field]?.value) === String(value));
  const found = matching ?? (holders.length === 1 ? holders[0] : undefined);
  return found === undefined ? null : { id: found[0], field };
}
