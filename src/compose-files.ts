// Puts files together: their storages, and their guards in the engine.

import type { Engine } from './compose-engine.js';
import type { Config } from './config.js';
import { serviceCaller } from './core/access/view.js';
import type { SchemaStore } from './core/engine/schema-store.js';
import type { QueryLimits } from './core/query/query.js';
import type { FilesContext } from './service/files/files-context.js';
import { openFiles } from './service/files/open-files.js';
import { openStorages } from './service/files/open-storages.js';

export interface FilesFloor {
  readonly config: Config;
  readonly store: SchemaStore;
  readonly engine: Engine;
  readonly limits: QueryLimits;
  readonly report: (error: unknown) => void;
}

export async function composeFiles({ config, store, engine, limits, report }: FilesFloor): Promise<FilesContext> {
  const { storageRoot, storageUrl, uploadLimit, importTimeout, importAllow } = config;
  return openFiles(engine.hooks, {
    storages: await openStorages({ root: storageRoot, bucketUrl: storageUrl }),
    reader: engine.reader,
    limits,
    options: { uploadLimit, importTimeoutMs: importTimeout, importAllow },
    serviceCaller: () => serviceCaller(store.current()),
    report,
  });
}
