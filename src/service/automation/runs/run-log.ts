// What a run leaves behind for those who read activity and revisions: one activity, and one revision with its steps and data, without secrets.

import { type Caller, serviceCaller } from '../../../core/access/view.js';
import type { SchemaStore } from '../../../core/engine/store/schema-store.js';
import type { Writer } from '../../../core/engine/write/writer.js';
import { activityRows, revisionRows } from '../../history/revisions/history-rows.js';
import type { HistoryTables } from '../../history/revisions/write-records.js';
import { maskSecrets } from '../chain/mask.js';
import type { Run } from '../model/run.js';

export interface RunLogDeps {
  readonly tables: HistoryTables;
  readonly writer: Pick<Writer, 'transaction'>;
  readonly store: Pick<SchemaStore, 'current'>;
  readonly report: (error: unknown) => void;
  /** Further texts to mask. */
  readonly secrets: readonly string[];
}

/** A longer document says only that it was too long. */
const maxDocument = 1_000_000;

export class RunLog {
  readonly #deps: RunLogDeps;
  readonly #running = new Set<Promise<void>>();

  constructor(deps: RunLogDeps) {
    this.#deps = deps;
  }

  /** In the background: a run is answered before it is recorded. */
  add(run: Run, starter: Caller | null): void {
    const { accountability } = run.flow;
    if (accountability !== 'all' && accountability !== 'activity') return;
    const writing = this.#write(run, starter)
      .catch(this.#deps.report)
      .finally(() => this.#running.delete(writing));
    this.#running.add(writing);
  }

  /** Resolves when everything is recorded. */
  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #write(run: Run, starter: Caller | null): Promise<void> {
    const { tables, writer, store } = this.#deps;
    const service = serviceCaller(store.current());
    const author = (starter ?? service).accountability;
    const collection = store.current().nameOf('service_flows');
    const document = run.flow.accountability === 'all' ? documentOf(run, this.#deps.secrets) : null;
    await writer.transaction(service, async ({ connection }) => {
      const [number] = await tables.activity.insertWithIds(connection, activityRows(tables, author, [['run', collection, run.flow.id]]));
      if (document === null || number === undefined) return;
      const row = [number, number, collection, run.flow.id, document, null, null, null] as const;
      tables.revisions.enqueueInsert(connection, revisionRows(tables, [row]));
    });
  }
}

function documentOf({ steps: records, chain }: Run, secrets: readonly string[]): string {
  const steps = records.map(({ operation, key, status, options, durationMs }) => ({
    operation,
    key,
    status,
    options,
    duration_ms: durationMs,
  }));
  const text = JSON.stringify(maskSecrets({ steps, data: chain }, secrets));
  if (text.length <= maxDocument) return text;
  return JSON.stringify({ steps: steps.map(({ operation, key, status }) => ({ operation, key, status })), data: null, truncated: true });
}
