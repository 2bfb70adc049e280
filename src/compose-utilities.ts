// Puts the utilities together: exports into files, and what may be forgotten.

import type { Engine } from './compose-engine.js';
import type { Config } from './config.js';
import { serviceCaller } from './core/access/view.js';
import type { SchemaStore } from './core/engine/schema-store.js';
import type { QueryLimits } from './core/query/query.js';
import type { UtilityDoor } from './doors/rest/utility-routes.js';
import type { WriteDoor } from './doors/rest/write-door.js';
import type { FilesContext } from './service/files/files-context.js';
import { keepFile } from './service/utilities/keep-file.js';

export interface UtilitiesFloor {
  readonly config: Config;
  readonly store: SchemaStore;
  readonly engine: Engine;
  readonly limits: QueryLimits;
  readonly files: FilesContext;
  readonly door: WriteDoor;
  readonly report: (error: unknown) => void;
}

export function composeUtilities({ config, store, engine, limits, files, door, report }: UtilitiesFloor): UtilityDoor {
  return {
    ...door,
    uploadLimit: config.uploadLimit,
    clearCache: async () => {
      await store.refresh();
    },
    exports: {
      reader: engine.reader,
      writer: engine.writer,
      limits,
      storeFile: (caller, file) => keepFile(files, engine.writer, caller, file),
      serviceCaller: () => serviceCaller(store.current()),
      running: new Set(),
      report,
    },
  };
}
