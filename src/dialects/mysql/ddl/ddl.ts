// The Ddl port of MariaDB and MySQL. Each DDL statement commits implicitly, so each step states how to undo it.

import { unreachable } from '../../../core/errors/service-error.js';
import type { RawDatabase } from '../../../core/schema/raw.js';
import { type Ddl, type DdlStep, readBackType, type StructureChange } from '../../../core/vendor/ddl.js';
import type { Server } from '../types/server.js';
import { addColumn, alterColumn } from './columns.js';
import { dropColumn, dropTable } from './drops.js';
import { addForeignKey, createIndex, dropForeignKey, dropIndex } from './keys.js';
import { createTable } from './tables.js';

/** `server` is called when a change is made, after introspection, and therefore knows the connected server. */
export const createDdl = (server: () => Server): Ddl => ({
  transactional: false,
  keepsComments: true,
  hasSchemas: false,
  keysNeedIndexes: true,
  steps: (change, before) => writeSteps(change, before, server()),
  readBackType: (spec) => readBackType(spec.type),
});

function writeSteps(change: StructureChange, before: RawDatabase, server: Server): readonly DdlStep[] {
  switch (change.kind) {
    case 'create-table':
      return createTable(change, before, server);
    case 'drop-table':
      return dropTable(change, before);
    case 'add-column':
      return addColumn(change, server);
    case 'alter-column':
      return alterColumn(change, before, server);
    case 'drop-column':
      return dropColumn(change, before);
    case 'add-foreign-key':
      return addForeignKey(change, before);
    case 'drop-foreign-key':
      return dropForeignKey(change, before);
    case 'create-index':
      return createIndex(change, before);
    case 'drop-index':
      return dropIndex(change, before);
    default:
      return unreachable(change);
  }
}
