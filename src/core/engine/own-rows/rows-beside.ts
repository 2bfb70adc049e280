// Rows of a table that another server made, with the columns it lacks: their values are kept in a table of the service beside it, one row
// per item and column. Only columns that the service needs for itself are kept this way; there are few of them and they are seldom written.

import type { SystemDefinition, SystemField } from '../../schema/system-definition.js';
import type { PlainRow } from '../../sql/plain-rows.js';
import { DatabaseError } from '../../vendor/database-error.js';
import type { Connection } from '../../vendor/driver.js';
import type { SystemRows, Where } from './rows.js';

/** `value` is a JSON text. */
export interface KeptValue extends PlainRow {
  readonly collection: string;
  readonly item: string;
  readonly field: string;
  readonly value: string;
}

export function rowsBeside<Row extends PlainRow>(
  rows: SystemRows<Row>,
  definition: SystemDefinition,
  lacking: readonly SystemField[],
  stored: SystemRows<KeptValue>,
): SystemRows<Row> {
  const table = new TableBeside(rows as unknown as SystemRows, definition, lacking, stored);
  const read = (async (connection: Connection, columns: readonly string[] | 'all', where: Where<PlainRow> = {}, limit?: number) =>
    table.read(connection, columns, where, limit)) as SystemRows['read'];
  const whole: SystemRows = {
    ...(rows as unknown as SystemRows),
    read,
    insert: (connection, inserted) => table.insert(connection, inserted),
    update: (connection, set, where) => table.update(connection, set, where),
    delete: (connection, where) => table.delete(connection, where),
  };
  return whole as unknown as SystemRows<Row>;
}

class TableBeside {
  readonly #rows: SystemRows;
  readonly #collection: string;
  /** The columns that identify a row before the database has numbered it. */
  readonly #key: readonly string[];
  /** The values of columns that were never set. */
  readonly #defaults: ReadonlyMap<string, unknown>;
  readonly #kept: SystemRows<KeptValue>;

  constructor(rows: SystemRows, definition: SystemDefinition, lacking: readonly SystemField[], kept: SystemRows<KeptValue>) {
    this.#rows = rows;
    this.#collection = definition.collection;
    this.#key = identityOf(definition);
    this.#defaults = new Map(lacking.map(({ field, default: value }) => [field, value?.kind === 'literal' ? value.value : null]));
    this.#kept = kept;
  }

  async read(
    connection: Connection,
    columns: readonly string[] | 'all',
    where: Where<PlainRow>,
    limit?: number,
  ): Promise<readonly PlainRow[]> {
    const { present, beside } = this.#split(where);
    const asked = columns === 'all' ? [...this.#defaults.keys()] : columns.filter((name) => this.#defaults.has(name));
    const own = columns === 'all' ? columns : [...new Set([...columns.filter((name) => !this.#defaults.has(name)), ...this.#key])];
    const found = await this.#rows.read(connection, own, present, beside.length === 0 ? limit : undefined);
    const names = [...new Set([...asked, ...beside.map(([name]) => name)])];
    if (names.length === 0 || found.length === 0) return found;
    const place = { collection: this.#collection, field: names, item: found.map((row) => this.#itemOf(row)) };
    const values = await this.#kept.read(connection, ['item', 'field', 'value'], place);
    const byPlace = new Map(values.map(({ item, field, value }) => [`${item} ${field}`, JSON.parse(value) as unknown]));
    return found
      .map((row): PlainRow => {
        const keptOf = (name: string): unknown => byPlace.get(`${this.#itemOf(row)} ${name}`) ?? this.#defaults.get(name) ?? null;
        return { ...row, ...Object.fromEntries(names.map((name) => [name, keptOf(name)])) };
      })
      .filter((row) => beside.every(([name, value]) => isSame(row[name], value)));
  }

  async insert(connection: Connection, inserted: readonly PlainRow[]): Promise<void> {
    await this.#rows.insert(
      connection,
      inserted.map((row) => this.#split(row).present),
    );
    for (const row of inserted) {
      for (const [field, value] of this.#split(row).beside) {
        if (value !== null) await this.#keep(connection, this.#itemOf(row), field, value);
      }
    }
  }

  async update(connection: Connection, set: PlainRow, where: Where<PlainRow>): Promise<number> {
    const { present, beside } = this.#split(set);
    const expected = new Map(this.#split(where).beside);
    if (beside.length === 0 && expected.size === 0) return this.#rows.update(connection, set, where);
    let changed = 0;
    for (const row of await this.read(connection, this.#key, where)) {
      const item = this.#itemOf(row);
      let holds = true;
      for (const [field, value] of beside) {
        if (expected.has(field)) holds &&= await this.#swap(connection, item, field, value, expected.get(field));
        else await this.#keep(connection, item, field, value);
      }
      if (!holds) continue;
      const key = Object.fromEntries(this.#key.map((name) => [name, row[name]]));
      if (Object.keys(present).length > 0) await this.#rows.update(connection, present, key);
      changed += 1;
    }
    return changed;
  }

  async delete(connection: Connection, where: Where<PlainRow>): Promise<number> {
    const gone = (await this.read(connection, this.#key, where)).map((row) => this.#itemOf(row));
    if (gone.length > 0) await this.#kept.delete(connection, { collection: this.#collection, item: gone });
    return this.#rows.delete(connection, this.#split(where).present);
  }

  #split(row: PlainRow): { readonly present: PlainRow; readonly beside: readonly [string, unknown][] } {
    const entries = Object.entries(row);
    return {
      present: Object.fromEntries(entries.filter(([name]) => !this.#defaults.has(name))),
      beside: entries.filter(([name]) => this.#defaults.has(name)),
    };
  }

  #itemOf(row: PlainRow): string {
    return JSON.stringify(this.#key.map((name) => row[name]));
  }

  async #keep(connection: Connection, item: string, field: string, value: unknown): Promise<void> {
    const place = { collection: this.#collection, item, field };
    await this.#kept.delete(connection, place);
    if (value !== null && value !== undefined) await this.#kept.insert(connection, [{ ...place, value: JSON.stringify(value) }]);
  }

  /** Replaces a value only if it is still the expected one, so that of two concurrent calls only one succeeds. */
  async #swap(connection: Connection, item: string, field: string, value: unknown, expected: unknown): Promise<boolean> {
    const place = { collection: this.#collection, item, field };
    const text = JSON.stringify(value);
    if (expected !== null && expected !== undefined)
      return (await this.#kept.update(connection, { value: text }, { ...place, value: JSON.stringify(expected) })) > 0;
    try {
      await this.#kept.insert(connection, [{ ...place, value: text }]);
      return true;
    } catch (error) {
      if (error instanceof DatabaseError && error.kind === 'unique') return false;
      throw error;
    }
  }
}

function identityOf({ primaryKey, fields, uniques }: SystemDefinition): readonly string[] {
  const isNumbered = fields.some(({ field, autoIncrement }) => autoIncrement && primaryKey.includes(field));
  return (isNumbered ? uniques[0] : undefined) ?? primaryKey;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
