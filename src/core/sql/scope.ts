// Where an expression stands: the alias of its item, and which columns of it were asked for (a page carries exactly those).

import type { BoundFilter } from '../plan/bound.js';
import type { Collection } from '../schema/schema.js';
import { type Sql, sql, trusted } from './sql.js';
import type { Syntax } from './syntax.js';

export interface Writer {
  readonly syntax: Syntax;
  /** A new alias, unique in the statement. */
  nextAlias(): string;
  /** A filter as a condition on the item at `scope`. Given from outside: values hold rules, and rules hold values. */
  condition(scope: Scope, filter: BoundFilter): Sql;
}

export interface Scope {
  readonly alias: string;
  readonly columns: Set<string>;
}

export const makeScope = (alias: string): Scope => ({ alias, columns: new Set() });

export function columnSql(writer: Writer, scope: Scope, name: string): Sql {
  scope.columns.add(name);
  return sql`${trusted(scope.alias)}.${writer.syntax.identifier(name)}`;
}

/** `"articles" t0`, as it stands after FROM. */
export function tableAs(writer: Writer, collection: Collection, alias: string): Sql {
  if (collection.table === null) throw new Error(`collection ${collection.name} has no table`);
  return sql`${writer.syntax.table(collection.table)} ${trusted(alias)}`;
}
