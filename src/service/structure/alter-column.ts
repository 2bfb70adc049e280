// The change that gives a column another shape.

import type { ColumnSpec, StructureChange } from '../../core/vendor/ddl.js';
import type { TableCollection } from './find-structure.js';

export const alterColumn = ({ table }: TableCollection, column: ColumnSpec): StructureChange => ({
  kind: 'alter-column',
  table: { schema: table.schema, name: table.name },
  column,
});
