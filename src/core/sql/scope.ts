// The context of expressions: the state of the statement being written, and the scope, that is the alias of an item and the columns of it
// that were used. A page carries exactly those columns.

import type { BoundFilter, Scalar } from '../plan/names/bound-filter.js';
import type { Collection } from '../schema/schema.js';
import { type Sql, sql, trusted } from './sql.js';
import type { Syntax, Typed } from './syntax.js';

export interface StatementBuilder {
  readonly syntax: Syntax;
  /** A new alias, unique within the statement. */
  nextAlias(): string;
  /** The collections that the statement reads so far, by their aliases. */
  readonly aliases: Map<string, Collection>;
  /**
   * Writes a filter as a condition on the item at `scope`. Passed in because values contain rules and rules contain values
   * (start-statement.ts).
   */
  condition(scope: Scope, filter: BoundFilter): Sql;
  /** Writes the least or greatest value of a path through lists. Passed in for the same reason. */
  extreme(scope: Scope, scalar: Extract<Scalar, { kind: 'extreme' }>): Typed;
}

export interface Scope {
  readonly alias: string;
  readonly columns: Set<string>;
}

export const makeScope = (alias: string): Scope => ({ alias, columns: new Set() });

export function columnSql(builder: StatementBuilder, scope: Scope, name: string): Sql {
  scope.columns.add(name);
  return sql`${trusted(scope.alias)}.${builder.syntax.identifier(name)}`;
}

/** `"articles" t0`, for use after FROM. */
export function tableAs(builder: StatementBuilder, collection: Collection, alias: string): Sql {
  if (collection.table === null) throw new Error(`collection ${collection.name} has no table`);
  builder.aliases.set(alias, collection);
  return sql`${builder.syntax.table(collection.table)} ${trusted(alias)}`;
}
