// Puts history together: what is recorded of every write, and for how long.

import type { Engine } from './compose-engine.js';
import type { Config } from './config.js';
import { bulkRows } from './core/engine/bulk-rows.js';
import { definitionOf } from './core/engine/definition-of.js';
import type { SchemaStore } from './core/engine/schema-store.js';
import { type SystemRows, systemRows } from './core/engine/system-rows.js';
import { watchRegularly } from './core/engine/watch-regularly.js';
import type { Dialect } from './core/vendor/dialect.js';
import { guardShares } from './service/history/guard-shares.js';
import { guardVersions } from './service/history/guard-versions.js';
import { recordWrites } from './service/history/record-writes.js';
import { sweepHistory } from './service/history/sweep-history.js';
import type { VersionContext } from './service/history/version-context.js';
import type { HistoryContext } from './service/history/write-records.js';
import { guardTranslations } from './service/system/guard-translations.js';
import { systemDefinitions } from './service/system/system-definitions.js';
import { type Idempotency, openIdempotency } from './service/utilities/idempotency.js';

const hourMs = 3_600_000;

export interface HistoryFloor {
  readonly config: Config;
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  readonly engine: Engine;
  readonly secret: string;
  readonly report: (error: unknown) => void;
}

export interface History {
  readonly context: HistoryContext;
  readonly idempotency: Idempotency;
  readonly versions: VersionContext;
  stop(): void;
}

export function composeHistory({ config, dialect, store, engine, secret, report }: HistoryFloor): History {
  const definition = (name: string) => definitionOf(systemDefinitions, name);
  const context: HistoryContext = {
    reader: engine.reader,
    tables: {
      activity: bulkRows(dialect, definition('service_activity'), config.systemSchema),
      revisions: bulkRows(dialect, definition('service_revisions'), config.systemSchema),
    },
  };
  if (config.history) recordWrites(engine.hooks, context);
  const rowsOf = (name: string): SystemRows => systemRows(dialect.syntax, definition(name), config.systemSchema);
  const swept = {
    activity: rowsOf('service_activity'),
    revisions: rowsOf('service_revisions'),
    definition: definition('service_activity'),
  };
  const stopHistory =
    config.historyRetention === null ? () => undefined : sweepHistory(swept, dialect.driver, config.historyRetention, report);
  const versions: VersionContext = {
    reader: engine.reader,
    writer: engine.writer,
    versions: rowsOf('service_versions'),
    tables: config.history ? context.tables : null,
  };
  guardVersions(engine.hooks, versions);
  guardShares(engine.hooks, { reader: engine.reader, store });
  guardTranslations(engine.hooks, rowsOf('service_translations'));
  const kept = rowsOf('service_idempotency');
  const idempotency = openIdempotency({ writer: engine.writer, rows: kept, connection: dialect.driver, secret });
  const stopSweep = watchRegularly(() => idempotency.sweep(), hourMs, report);
  return {
    context,
    idempotency,
    versions,
    stop: () => {
      stopHistory();
      stopSweep();
    },
  };
}
