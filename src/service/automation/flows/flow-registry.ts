// The active flows, in memory: read at the start, after each change of this process before it is answered, and when another process has changed
// them.

import type { SystemRows } from '../../../core/engine/own-rows/system-rows.js';
import type { SchemaStore } from '../../../core/engine/store/schema-store.js';
import type { RowOf } from '../../../core/schema/system-definition.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { flows, operations } from '../../definitions/flows.js';
import { type Flow, flowColumns, operationColumns, readFlow } from '../model/flow.js';

export interface FlowTables {
  readonly flows: SystemRows<RowOf<typeof flows>>;
  readonly operations: SystemRows<RowOf<typeof operations>>;
}

export interface RegistryDeps {
  readonly tables: FlowTables;
  readonly connection: Connection;
  readonly store: Pick<SchemaStore, 'flowEpoch'>;
}

export class FlowRegistry {
  readonly #deps: RegistryDeps;
  readonly #listeners: ((flows: readonly Flow[]) => void)[] = [];
  #flows: ReadonlyMap<string, Flow> = new Map();
  #epoch = -1;
  #loading: Promise<void> | null = null;

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
  }

  /** The active flow of this id. */
  find(id: string): Flow | null {
    return this.#flows.get(id.toLowerCase()) ?? null;
  }

  /** Any flow of this id, as it is stored. null: there is none. */
  async read(id: string): Promise<Flow | null> {
    const { tables, connection } = this.#deps;
    const [row] = await tables.flows.read(connection, flowColumns, { id });
    return row === undefined ? null : readFlow(row, await tables.operations.read(connection, operationColumns, { flow: row.id }));
  }

  get all(): readonly Flow[] {
    return [...this.#flows.values()];
  }

  /** Called with all active flows whenever they have been read. */
  onChange(listener: (flows: readonly Flow[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Reads the flows again if they have changed since. Calls meanwhile share one more reading. */
  async refresh(): Promise<void> {
    while (this.#epoch !== this.#deps.store.flowEpoch()) {
      this.#loading ??= this.#load().finally(() => {
        this.#loading = null;
      });
      await this.#loading;
    }
  }

  async #load(): Promise<void> {
    const { tables, connection, store } = this.#deps;
    const epoch = store.flowEpoch();
    const rows = await tables.flows.read(connection, flowColumns, { status: 'active' });
    const ids = rows.map(({ id }) => id);
    const operationRows = ids.length === 0 ? [] : await tables.operations.read(connection, operationColumns, { flow: ids });
    this.#flows = new Map(rows.map((row) => [row.id.toLowerCase(), readFlow(row, operationRows)]));
    this.#epoch = epoch;
    for (const listener of this.#listeners) listener(this.all);
  }
}
