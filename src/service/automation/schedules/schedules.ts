// Time tables: this process waits for the next time of each, and whichever instance comes first stores the run. What was missed while no
// instance ran is not made up for. The package is loaded with the first time table.

import type { Cron } from 'croner';
import type { Flow } from '../model/flow.js';

export interface SchedulesDeps {
  /** Stores the run; false: it is stored already, or the one before has not ended. */
  readonly add: (flow: string, slot: Date, mayOverlap: boolean) => Promise<boolean>;
  readonly report: (error: unknown) => void;
}

/** A timer that is set for longer is set again then, so that a changed clock is noticed. */
const longestWaitMs = 60_000;

export class Schedules {
  readonly #deps: SchedulesDeps;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Counts the changes: what was begun for earlier flows ends. */
  #round = 0;

  constructor(deps: SchedulesDeps) {
    this.#deps = deps;
  }

  /** Replaces all time tables. */
  follow(flows: readonly Flow[]): void {
    this.stop();
    const scheduled = flows.filter(
      ({ trigger, options }) => trigger === 'schedule' && typeof options['cron'] === 'string' && options['cron'] !== '',
    );
    if (scheduled.length > 0) void this.#begin(scheduled, this.#round);
  }

  stop(): void {
    this.#round += 1;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  async #begin(flows: readonly Flow[], round: number): Promise<void> {
    const { Cron: Table } = await import('croner');
    if (round !== this.#round) return;
    for (const flow of flows) {
      // A time table that cannot be read stops no other.
      try {
        const { cron, timezone } = flow.options;
        const zone = typeof timezone === 'string' && timezone !== '' ? { timezone } : {};
        this.#wait(flow, new Table(String(cron), { paused: true, ...zone }), round);
      } catch (error) {
        this.#deps.report(new Error(`the time table of the flow "${flow.name}" (${flow.id}) cannot be read`, { cause: error }));
      }
    }
  }

  #wait(flow: Flow, table: Cron, round: number, after: Date = new Date()): void {
    const next = table.nextRun(after);
    if (next === null) return;
    const sleep = (): void => {
      const left = next.getTime() - Date.now();
      if (left > longestWaitMs) this.#timers.set(flow.id, setTimeout(sleep, longestWaitMs).unref());
      else this.#timers.set(flow.id, setTimeout(() => this.#fire(flow, table, round, next), Math.max(0, left)).unref());
    };
    sleep();
  }

  #fire(flow: Flow, table: Cron, round: number, slot: Date): void {
    if (round !== this.#round) return;
    this.#deps.add(flow.id, slot, flow.options['overlap'] === true).catch(this.#deps.report);
    // From now on, so that what a process missed while it stood still is not made up for.
    this.#wait(flow, table, round, slot.getTime() > Date.now() ? slot : new Date());
  }
}
