// Reads the log of the database while there are subscribers, and passes its changes to the feed. If the log cannot be read, the feed works
// without it.

import type { Change } from '../../core/engine/work/changes.js';
import type { Schema } from '../../core/schema/schema.js';
import { collectionName } from '../../core/schema/table-name.js';
import { groupBy } from '../../core/util/group-by.js';
import {
  type ChangeLog,
  isRefusal,
  type LoggedChange,
  type LoggedTable,
  type LogRefusal,
  type OpenLog,
} from '../../core/vendor/change-log.js';
import type { ChangeFeed } from './change-feed.js';
import { withCascades } from './spread-changes.js';

export interface LogSourceDeps {
  readonly feed: ChangeFeed;
  readonly log: ChangeLog;
  readonly schema: () => Schema;
  /** Called when it is first known whether the log can be read, and whenever that changes. */
  readonly onState: (refusal: LogRefusal | null) => void;
}

const readEveryMs = 100;
/** The least pause between two readings. */
const restMs = 10;
const retryMs = 5_000;
/** The pause before the next attempt if an administrator has to act first. */
const curedMs = 60_000;

export class LogSource {
  readonly #deps: LogSourceDeps;
  #open: OpenLog | null = null;
  /** The tables that it was opened for. */
  #tables = '';
  #refusal: LogRefusal | null = null;
  #reported: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #working: Promise<void> | null = null;
  #isPoked = false;
  #isClosed = false;

  constructor(deps: LogSourceDeps) {
    this.#deps = deps;
    deps.feed.onFollowed((isFollowed) => this.#after(isFollowed ? 0 : retryMs));
  }

  /** For the health of the service; null: the log is not read. */
  get source(): string | null {
    return this.#open === null ? null : this.#deps.log.source;
  }

  /** Why the log is not read; null: it is. */
  get refusal(): LogRefusal | null {
    return this.#open === null ? this.#refusal : null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#working;
    await this.#stop();
  }

  #poke(): void {
    if (this.#isPoked) return;
    this.#isPoked = true;
    if (this.#working === null) this.#after(restMs);
  }

  #after(ms: number): void {
    if (this.#isClosed) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#begin(), ms).unref();
  }

  /** Starts `#work` unless it is running. */
  #begin(): void {
    if (this.#working !== null) return;
    this.#isPoked = false;
    this.#working = this.#work().then((pauseMs) => {
      this.#working = null;
      if (pauseMs !== null) this.#after(this.#isPoked ? restMs : pauseMs);
    });
  }

  /** Resolves to the time until the next call; null: not before there is a subscriber. */
  async #work(): Promise<number | null> {
    const { feed } = this.#deps;
    if (!feed.isFollowedHere) {
      await this.#stop();
      return feed.isFollowedHere ? 0 : null;
    }
    try {
      const tables = tablesOf(this.#deps.schema());
      if (this.#open !== null && JSON.stringify(tables) !== this.#tables) await this.#stop();
      if (this.#open === null && !(await this.#start(tables))) return this.#refusal?.cure.length === 0 ? retryMs : curedMs;
      await this.#read();
      return readEveryMs;
    } catch (error) {
      await this.#stop();
      this.#refuse({ reason: error instanceof Error ? error.message : String(error), cure: [] });
      return retryMs;
    }
  }

  async #start(tables: readonly LoggedTable[]): Promise<boolean> {
    const { feed, log } = this.#deps;
    const opened = await log.open(tables, () => this.#open !== null && this.#poke());
    if (isRefusal(opened)) {
      this.#refuse(opened);
      return false;
    }
    this.#open = opened;
    this.#tables = JSON.stringify(tables);
    const names = new Set(opened.tables.map(collectionName));
    feed.readFrom({ covers: (collection) => names.has(collection), poke: () => this.#poke() });
    this.#report(null);
    return true;
  }

  async #read(): Promise<void> {
    const { feed, log, schema } = this.#deps;
    const read = await this.#open?.read();
    if (read === undefined || read.length === 0) return;
    const changes = toChanges(read);
    feed.logged(log.reportsCascades ? changes : withCascades(schema(), changes, movedIn(read)));
  }

  async #stop(): Promise<void> {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    this.#deps.feed.readFrom(null);
    await open.close();
  }

  #refuse(refusal: LogRefusal): void {
    this.#refusal = refusal;
    this.#report(refusal);
  }

  #report(refusal: LogRefusal | null): void {
    const text = JSON.stringify(refusal);
    if (text !== this.#reported) this.#deps.onState(refusal);
    this.#reported = text;
  }
}

/** Leaves out system collections, whose lists are polled every second. */
const tablesOf = ({ collections }: Schema): readonly LoggedTable[] =>
  [...collections.values()].flatMap(({ table, system }) => {
    // Of a key that was only named the log does not hold the values.
    if (system || table === null || table.kind !== 'table' || table.primaryKey.length === 0 || table.namedKey !== undefined) return [];
    const { schema, name, primaryKey } = table;
    return [{ schema, name, primaryKey }];
  });

/** The collections of which keys have changed. */
const movedIn = (logged: readonly LoggedChange[]): ReadonlySet<string> =>
  new Set(logged.flatMap((change) => (change.kind === 'row' && change.moved ? [collectionName(change.table)] : [])));

/** Joins changes of the same kind in one collection. Their order does not matter, because groups read the present state. */
function toChanges(logged: readonly LoggedChange[]): readonly Change[] {
  const groups = groupBy(logged, (change) =>
    JSON.stringify([change.table === null ? null : collectionName(change.table), change.kind === 'row' ? change.action : null]),
  );
  return [...groups.values()].flatMap((changes): readonly Change[] => {
    const [first] = changes;
    if (first === undefined) return [];
    const collection = first.table === null ? null : collectionName(first.table);
    if (first.kind === 'unknown' || collection === null) return [{ kind: 'unknown', collection, logged: true }];
    const keys = changes.flatMap((change) => (change.kind === 'row' ? [change.key] : []));
    return [{ kind: 'items', collection, action: first.action, keys }];
  });
}
