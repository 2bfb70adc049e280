// The hooks by which flows see writes: registered for what the active flows wait for, and taken back when these change.

import type { Hooks, Unregister, WriteAction } from '../../../core/engine/write/hooks.js';
import type { Schema } from '../../../core/schema/schema.js';
import type { Flow } from '../model/flow.js';
import type { RunQueue } from '../runs/run-queue.js';
import { filterNested, filterSent, type StartFilter } from './filter-writes.js';
import { followWrite } from './follow-writes.js';
import { type Listener, listenersOf, momentOf } from './listeners.js';

export interface WriteListenersDeps {
  readonly hooks: Hooks;
  readonly queue: Pick<RunQueue, 'enqueue' | 'wakeAfter'>;
  readonly start: StartFilter;
}

export class WriteListeners {
  readonly #deps: WriteListenersDeps;
  #registered: readonly Unregister[] = [];
  #actions: readonly Listener[] = [];

  constructor(deps: WriteListenersDeps) {
    this.#deps = deps;
  }

  /** Whether some flow follows writes. */
  get areFollowed(): boolean {
    return this.#actions.length > 0;
  }

  /** Replaces all hooks. Filters of one event run in the order of their flows' keys. */
  follow(flows: readonly Flow[], schema: Schema): void {
    for (const unregister of this.#registered) unregister();
    const ordered = flows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const listeners = ordered.flatMap((flow) => listenersOf(flow, schema));
    this.#actions = listeners.filter(({ flow }) => momentOf(flow) === 'action');
    const filters = listeners.filter(({ flow }) => momentOf(flow) === 'filter');
    this.#registered = [...this.#registerActions(), ...filters.flatMap((listener) => this.#registerFilter(listener))];
  }

  #registerActions(): readonly Unregister[] {
    const { hooks, queue } = this.#deps;
    const findFlows = (collection: string, action: WriteAction): readonly Flow[] =>
      this.#actions.filter((listener) => listener.collection === collection && listener.action === action).map(({ flow }) => flow);
    const places = new Map(this.#actions.map((listener) => [`${listener.action} ${listener.collection}`, listener]));
    return [...places.values()].map(({ collection, action }) =>
      hooks.observe(collection, action, (event) => followWrite({ queue, findFlows }, event)),
    );
  }

  #registerFilter({ flow, collection, action }: Listener): readonly Unregister[] {
    const { hooks, start } = this.#deps;
    return [
      hooks.filter(collection, action, (event) => filterSent(start, flow, event)),
      hooks.before(collection, action, (event) => filterNested(start, flow, event)),
    ];
  }
}
