// Counts for `meta`: one statement beside the list, never a window over it.

import type { BoundFilter } from '../plan/bound.js';
import type { Collection } from '../schema/schema.js';
import { filterToSql } from './filter-to-sql.js';
import { whereClause } from './page-to-sql.js';
import { guardScan } from './scan-guard.js';
import { makeScope, tableAs } from './scope.js';
import { join, type Rendered, render, type Sql, sql } from './sql.js';
import { startWriting } from './start-writing.js';
import type { Syntax } from './syntax.js';

/** One row; a number per filter, in their order (null: every item). */
export function countsToSql(syntax: Syntax, collection: Collection, filters: readonly (BoundFilter | null)[]): Rendered {
  const writer = startWriting(syntax);
  const counts = filters.map((filter): Sql => {
    const scope = makeScope(writer.nextAlias());
    const guard = guardScan(writer, scope.alias, { collection, link: null, filter });
    const conditions = [guard, filter === null ? null : filterToSql(writer, scope, filter)].filter((condition) => condition !== null);
    const where = conditions.length === 0 ? null : join(conditions, ' AND ');
    return sql`(SELECT count(*) FROM ${tableAs(writer, collection, scope.alias)}${whereClause(where)})`;
  });
  return render(sql`SELECT ${join(counts, ', ')}`, syntax.placeholder);
}
