// The Ddl port: a structure change as statements. Each commits by itself on this vendor, so each says how it is taken back.

import { unreachable } from '../../core/errors/service-error.js';
import type { RawDatabase } from '../../core/schema/raw.js';
import type { Ddl, DdlStep, StructureChange } from '../../core/vendor/ddl.js';
import { addColumn, alterColumn } from './ddl-columns.js';
import { dropColumn, dropTable } from './ddl-drops.js';
import { addForeignKey, createIndex, dropForeignKey, dropIndex } from './ddl-keys.js';
import { createTable } from './ddl-tables.js';
import type { Server } from './server.js';
import { readBack } from './types.js';

/** `server`: known for sure once a connection was made, which introspection needs before any change. */
export const createDdl = (server: () => Server): Ddl => ({
  transactional: false,
  keepsComments: true,
  hasSchemas: false,
  steps: (change, before) => writeSteps(change, before, server()),
  readBackType: (spec) => readBack(spec.type),
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
