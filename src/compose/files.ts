// Puts files together: their storages, and their guards in the engine.

import type { Config } from '../config.js';
import { serviceCaller } from '../core/access/view.js';
import type { SchemaStore } from '../core/engine/store/schema-store.js';
import type { QueryLimits } from '../core/query/query.js';
import type { Dialect } from '../core/vendor/dialect.js';
import { type OpenFiles, openFiles, openStorages } from '../service/files/open-files.js';
import type { Engine } from './engine.js';

export interface ComposeFilesDeps {
  readonly config: Config;
  readonly store: SchemaStore;
  readonly dialect: Dialect;
  readonly engine: Engine;
  readonly limits: QueryLimits;
  readonly report: (error: unknown) => void;
}

export async function composeFiles({ config, dialect, store, engine, limits, report }: ComposeFilesDeps): Promise<OpenFiles> {
  const { storageRoot, storageUrl, storageNames, uploadLimit, importTimeout, importAllow, publicTransformations } = config;
  return openFiles(engine.hooks, {
    storages: await openStorages({ root: storageRoot, bucketUrl: storageUrl, names: storageNames }),
    reader: engine.reader,
    connection: dialect.driver,
    limits,
    options: { uploadLimit, importTimeoutMs: importTimeout, importAllow, publicTransformations },
    serviceCaller: () => serviceCaller(store.current()),
    report,
  });
}
