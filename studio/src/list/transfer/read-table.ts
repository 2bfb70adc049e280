// A file as a table: CSV with any usual separator, a list of objects in JSON, or one object a line. Pure, imports no framework.

import { parseCells } from '../edit/clipboard.js';

export interface Table {
  readonly columns: readonly string[];
  /** Texts of CSV, null where they are empty; values of JSON; undefined where a row has no value. */
  readonly rows: readonly (readonly unknown[])[];
}

export class UnreadableFile extends Error {}

export function readTable(name: string, text: string): Table {
  const source = text.replace(/^\uFEFF/, '');
  const start = source.trimStart()[0];
  if (/\.(json|ndjson|jsonl)$/i.test(name) || start === '[' || start === '{') return readObjects(source);
  return readCsv(source);
}

function readCsv(source: string): Table {
  const [head = '', ...rest] = source.split('\n', 2);
  const delimiter = ['\t', ';', ','].find((each) => head.includes(each)) ?? ',';
  if (head.trim() === '' && rest.length === 0) throw new UnreadableFile();
  const [columns = [], ...rows] = parseCells(source, delimiter);
  return {
    columns: columns.map((column) => column.trim()),
    rows: rows.filter((row) => row.some((cell) => cell !== '')).map((row) => row.map(cellOf)),
  };
}

const cellOf = (cell: string): string | null => (cell.trim() === '' ? null : cell);

function readObjects(source: string): Table {
  const items = parseItems(source);
  const columns = [...new Set(items.flatMap((item) => Object.keys(item)))];
  return { columns, rows: items.map((item) => columns.map((column) => item[column])) };
}

type Item = Readonly<Record<string, unknown>>;

function parseItems(source: string): readonly Item[] {
  const parsed = tryJson(source);
  if (parsed !== undefined) {
    const { data } = parsed as { readonly data?: unknown };
    const list = Array.isArray(parsed) ? parsed : Array.isArray(data) ? data : [parsed];
    if (list.every(isItem)) return list;
    throw new UnreadableFile();
  }
  const lines = source.split('\n').filter((line) => line.trim() !== '');
  const items = lines.map(tryJson);
  if (items.length === 0 || !items.every(isItem)) throw new UnreadableFile();
  return items;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);
