// Which transactions on the server are the service's own. Every commit on the server changes the snapshot, by which writes of other programs are
// noticed; but what the service itself has written is known by key, and nothing has to be looked for. So while somebody looks, the driver asks
// for the id of each transaction together with its last statement, and a commit counts as another program's unless its id is among these.

import type { ContentToken } from '../../../core/vendor/dialect.js';

/** Nobody looks any more after so long without a look. */
const watchedMs = 5_000;
/** How long a look waits for answers that are under way, and that may name a transaction which has just ended. */
const answersMs = 100;

/** Names its transaction if that has written anything. It adds no row to what a statement answers. */
export const askForId = 'SELECT pg_current_xact_id_if_assigned()::text';

/** The transactions of a server at one moment: `pg_current_snapshot()`. */
interface Snapshot {
  /** All ids from here on are those of transactions to come. */
  readonly next: number;
  readonly running: ReadonlySet<number>;
}

export class OwnTransactions {
  readonly #ids = new Set<number>();
  /** Statements that will name their transaction. */
  readonly #underWay = new Set<Promise<unknown>>();
  #watchedUntil = Number.NEGATIVE_INFINITY;
  #last: Snapshot | null = null;
  #foreign = 0;

  /** Whether somebody looks, so that transactions have to be named. */
  get areWatched(): boolean {
    return performance.now() < this.#watchedUntil;
  }

  /** `run` calls its argument with the id of the transaction, null if it has written nothing, before it resolves. */
  async named<T>(run: (note: (id: string | null) => void) => Promise<T>): Promise<T> {
    const running = run((id) => {
      if (id !== null) this.#ids.add(Number(id));
    });
    this.#underWay.add(running);
    try {
      return await running;
    } finally {
      this.#underWay.delete(running);
    }
  }

  /** Nothing is known any more: the next look finds a difference. */
  forget(): void {
    this.#ids.clear();
    this.#last = null;
  }

  /** How many times a look has found commits of others, the first look included. */
  async look(text: string): Promise<number> {
    const present = parseSnapshot(text);
    const last = this.areWatched ? this.#last : null;
    this.#watchedUntil = performance.now() + watchedMs;
    if (last === null) this.#foreign += 1;
    else if (!(await this.#areOwn(last, present))) this.#foreign += 1;
    this.#last = present;
    for (const id of this.#ids) if (hasEnded(id, present)) this.#ids.delete(id);
    return this.#foreign;
  }

  async #areOwn(last: Snapshot, present: Snapshot): Promise<boolean> {
    if (this.#know(last, present)) return true;
    if (this.#underWay.size === 0) return false;
    const answers = Promise.allSettled([...this.#underWay]);
    await Promise.race([answers, new Promise((resolve) => setTimeout(resolve, answersMs))]);
    return this.#know(last, present);
  }

  /** Whether all transactions that have ended between these snapshots are own ones. */
  #know(last: Snapshot, present: Snapshot): boolean {
    for (const id of last.running) if (hasEnded(id, present) && !this.#ids.has(id)) return false;
    // Ends at the first transaction of somebody else, so it takes no more steps than there are own and running ones.
    for (let id = last.next; id < present.next; id += 1) if (hasEnded(id, present) && !this.#ids.has(id)) return false;
    return true;
  }
}

/** `xmin:xmax:xip,xip`. The ids have 64 bits, of which a server uses up 2^53 in no time that matters. */
function parseSnapshot(text: string): Snapshot {
  const [, next, running = ''] = text.split(':');
  return { next: Number(next), running: new Set(running === '' ? [] : running.split(',').map(Number)) };
}

const hasEnded = (id: number, { next, running }: Snapshot): boolean => id < next && !running.has(id);

/**
 * Parents read the rows of the tables that inherit from them, and rules write to other tables than the one that is named: there the service does
 * not know all of what it writes. What partitions hold is written and read through their root.
 */
const contentText = `SELECT pg_current_snapshot()::text,
  EXISTS (SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE NOT c.relispartition AND c.relkind IN ('r', 'f'))
  OR EXISTS (SELECT FROM pg_rewrite WHERE rulename <> '_RETURN' AND ev_class >= 16384)`;

/**
 * Changes when any session commits a write, but for those of this process. A snapshot lists the next transaction id and the transactions
 * in progress; it stays the same while nothing is written anywhere on the server.
 */
export const contentTokenOf = (own: OwnTransactions): ContentToken => ({
  source: 'pg_current_snapshot()',
  async read(connection) {
    const [row] = await connection.rows({ kind: 'read', text: contentText, values: [], prepare: true });
    const [snapshot, writesElsewhere] = [String(row?.[0]), row?.[1] === true];
    if (!writesElsewhere) return `others ${await own.look(snapshot)}`;
    own.forget();
    return snapshot;
  },
});
