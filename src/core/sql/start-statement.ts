// Starts a statement with fresh aliases. Conditions contain values and values contain conditions; this file ties the knot by passing both
// into the builder.

import { extremeToSql } from './extreme-to-sql.js';
import { filterToSql } from './filter-to-sql.js';
import type { StatementBuilder } from './scope.js';
import type { Syntax } from './syntax.js';

export function startStatement(syntax: Syntax): StatementBuilder {
  let count = 0;
  const builder: StatementBuilder = {
    syntax,
    nextAlias: () => `t${count++}`,
    aliases: new Map(),
    condition: (scope, filter) => filterToSql(builder, scope, filter),
    extreme: (scope, scalar) => extremeToSql(builder, scope, scalar),
  };
  return builder;
}
