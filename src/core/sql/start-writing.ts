// Begins a statement: fresh aliases, and the one place where conditions and the values inside them meet.

import { filterToSql } from './filter-to-sql.js';
import type { Writer } from './scope.js';
import type { Syntax } from './syntax.js';

export function startWriting(syntax: Syntax): Writer {
  let count = 0;
  const writer: Writer = {
    syntax,
    nextAlias: () => `t${count++}`,
    condition: (scope, filter) => filterToSql(writer, scope, filter),
  };
  return writer;
}
