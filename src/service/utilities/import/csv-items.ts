// Converts the rows of a CSV file to items: the header names the fields, with a dot for a field of a related item.

import { invalidPayload } from '../../../core/errors/service-error.js';
import type { Collection } from '../../../core/schema/schema.js';
import { type Cell, parseCsv } from './parse-csv.js';

type Item = Record<string, unknown>;

export async function* parseCsvItems(chunks: AsyncIterable<string>, collection: Collection): AsyncGenerator<Item> {
  let paths: readonly (readonly string[])[] | null = null;
  let row = 0;
  for await (const cells of parseCsv(chunks)) {
    if (paths === null) {
      paths = readHeader(cells);
      continue;
    }
    row += 1;
    if (cells.length === 1 && cells[0]?.text === '' && !cells[0].quoted && paths.length > 1) continue;
    if (cells.length > paths.length)
      throw invalidPayload(`Row ${row} of the file has ${cells.length} cells, and the header ${paths.length}.`);
    yield toItem(paths, cells, collection);
  }
}

function readHeader(cells: readonly Cell[]): readonly (readonly string[])[] {
  const names = cells.map(({ text }) => text.trim());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalidPayload(`The header of the file names "${twice.slice(0, 60)}" twice.`);
  return names.map((name) => {
    const path = name.split('.');
    if (path.some((part) => part === '' || part === '__proto__'))
      throw invalidPayload(`"${name.slice(0, 60)}" in the header of the file is no field.`);
    return path;
  });
}

/** An empty cell leaves the field out, so that it gets its default; "" is an empty text. */
function toItem(paths: readonly (readonly string[])[], cells: readonly Cell[], collection: Collection): Item {
  const item: Item = {};
  for (const [index, cell] of cells.entries()) {
    const path = paths[index];
    if (path === undefined || (cell.text === '' && !cell.quoted)) continue;
    put(item, path, cellValue(cell.text, path, collection));
  }
  return item;
}

function put(item: Item, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    item[name] = value;
    return;
  }
  const below = item[name];
  const next: Item = typeof below === 'object' && below !== null ? (below as Item) : {};
  item[name] = next;
  put(next, rest, value);
}

/** In the column of a relation, a text that is a JSON list or object is parsed. */
function cellValue(text: string, path: readonly string[], collection: Collection): unknown {
  const field = path.length === 1 ? collection.fields.get(path[0] ?? '') : undefined;
  const related = field?.kind === 'relation' || field?.kind === 'reference' || (field?.kind === 'column' && field.relation !== null);
  if (!related || !/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
