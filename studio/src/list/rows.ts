// The rows of a list, read in pages as they come into sight. At most sixty pages are kept; a page under way is not asked for twice; what
// scrolls out of sight before it arrived is cancelled.

import { search } from '../api/client.js';

export type Row = Readonly<Record<string, unknown>>;

export const pageSize = 100;
const mostPages = 60;
const retryAfter = 3000;

export class Rows {
  readonly #pages = new Map<number, readonly Row[]>();
  readonly #underWay = new Map<number, AbortController>();
  readonly #listeners = new Set<() => void>();
  /** The number of rows known to exist; grows with each full page until the last page or the count shows the end. */
  #end = pageSize;
  #isEndKnown = false;
  #error: unknown = null;
  #isStopped = false;
  /** Pages that could not be read; they are requested again after a while. */
  readonly #failed = new Set<number>();
  /** Pages to be read again; until then they are shown as they are. */
  readonly #stale = new Set<number>();
  /** Pages that a caller of `ensure` waits for; they are not cancelled when they scroll out of view. */
  readonly #held = new Set<number>();
  #version = 0;
  /** The pages that were asked for last. */
  #sight = { from: 0, to: 0 };
  readonly #own = new Set<string>();
  /** How far the list was scrolled: it opens there when somebody comes back to it. */
  scrollTop = 0;

  constructor(
    private readonly path: string,
    private readonly query: Readonly<Record<string, unknown>>,
    private readonly keyOf: (row: Row) => string | null,
  ) {}

  get end(): number {
    return this.#end;
  }

  get isEndKnown(): boolean {
    return this.#isEndKnown;
  }

  get isLoaded(): boolean {
    return this.#pages.size > 0;
  }

  get error(): unknown {
    return this.#error;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly version = (): number => this.#version;

  row(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.[index % pageSize];
  }

  /** Where the row with this key is, among those that were read. */
  indexOf(key: string): number | null {
    for (const [page, rows] of this.#pages) {
      const index = rows.findIndex((row) => this.keyOf(row) === key);
      if (index >= 0) return page * pageSize + index;
    }
    return null;
  }

  loadedKeys(): ReadonlySet<string> {
    return new Set([...this.#pages.values()].flatMap((rows) => rows.flatMap((row) => this.keyOf(row) ?? [])));
  }

  /** The rows in sight, and some around them. */
  rowsInSight(): readonly Row[] {
    const { from, to } = this.#sight;
    const pages = [...this.#pages].filter(([page]) => page >= from && page <= Math.min(to, from + 2));
    return pages.flatMap(([, rows]) => rows);
  }

  /** Rows as they were saved here. */
  save(saved: readonly Row[]): void {
    for (const row of saved) this.#own.add(this.keyOf(row) ?? '');
    this.replace(saved);
  }

  /** Whether the row was saved here since the list was read. */
  isOwn(key: string): boolean {
    return this.#own.has(key);
  }

  /**
   * Replaces rows by their present values. They keep their places even if they would now sort elsewhere or no longer match the filter, so
   * that nothing jumps.
   */
  replace(saved: readonly Row[]): void {
    const byKey = new Map(saved.flatMap((row) => (this.keyOf(row) === null ? [] : [[this.keyOf(row), row] as const])));
    const present = (row: Row): Row | undefined => byKey.get(this.keyOf(row));
    for (const [page, rows] of this.#pages) {
      if (rows.some((row) => present(row) !== undefined))
        this.#pages.set(
          page,
          rows.map((row) => present(row) ?? row),
        );
    }
    this.#notify();
  }

  /** Puts a row in the place of another; those between move up. False when they are not all here. */
  move(from: number, to: number): boolean {
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    const between = Array.from({ length: last - first + 1 }, (_, index) => this.row(first + index)).filter((row) => row !== undefined);
    if (between.length <= last - first) return false;
    const moved = between.toSpliced(from - first, 1).toSpliced(to - first, 0, ...between.slice(from - first, from - first + 1));
    for (const [page, rows] of this.#pages)
      this.#pages.set(
        page,
        rows.map((row, index) => moved[page * pageSize + index - first] ?? row),
      );
    this.#notify();
    return true;
  }

  setCount(count: number): void {
    if (this.#isEndKnown && this.#end === count) return;
    this.#end = count;
    this.#isEndKnown = true;
    this.#notify();
  }

  /** Requests the pages with the rows from `first` to `last` unless they are loaded or under way. */
  want(first: number, last: number): void {
    const from = Math.max(0, Math.floor(first / pageSize));
    const to = Math.max(from, Math.floor(Math.max(0, Math.min(last, this.#end - 1)) / pageSize));
    this.#sight = { from, to };
    for (const [page, controller] of this.#underWay) if ((page < from - 1 || page > to + 1) && !this.#held.has(page)) controller.abort();
    for (let page = from; page <= to; page += 1) {
      const isThere = this.#pages.has(page) && !this.#stale.has(page);
      if (!isThere && !this.#underWay.has(page) && !this.#failed.has(page)) void this.#load(page);
    }
  }

  /** Resolves when these rows were read, or cannot be. */
  async ensure(first: number, last: number): Promise<void> {
    const from = Math.floor(Math.max(0, first) / pageSize);
    const to = Math.floor(last / pageSize);
    const missing = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index).filter((page) => !this.#pages.has(page));
    for (const page of missing) this.#held.add(page);
    await Promise.all(missing.map((page) => this.#load(page)));
    for (const page of missing) this.#held.delete(page);
  }

  /** Reads everything again as it comes into sight. */
  refresh(): void {
    this.#own.clear();
    for (const page of this.#pages.keys()) this.#stale.add(page);
    for (const controller of this.#underWay.values()) controller.abort();
    this.#underWay.clear();
    this.retry();
  }

  /** Asks again at once for what could not be read. */
  retry(): void {
    this.#failed.clear();
    this.#error = null;
    this.#notify();
  }

  /** Reads the first rows; a list that was left is shown as it was and read again. */
  start(): void {
    this.#isStopped = false;
    if (this.isLoaded) this.refresh();
    else this.want(0, 0);
  }

  stop(): void {
    this.#isStopped = true;
    for (const controller of this.#underWay.values()) controller.abort();
  }

  async #load(page: number): Promise<void> {
    const controller = new AbortController();
    this.#underWay.set(page, controller);
    try {
      const query = { ...this.query, limit: pageSize, offset: page * pageSize };
      const { data } = await search<readonly Row[]>(this.path, query, controller.signal);
      if (controller.signal.aborted) return;
      this.#keep(page, data);
      this.#error = null;
    } catch (error) {
      if (!controller.signal.aborted) this.#fail(page, error);
    } finally {
      if (this.#underWay.get(page) === controller) this.#underWay.delete(page);
      this.#notify();
    }
  }

  #fail(page: number, error: unknown): void {
    this.#error = error;
    this.#failed.add(page);
    setTimeout(() => !this.#isStopped && this.#failed.has(page) && this.retry(), retryAfter);
  }

  #keep(page: number, rows: readonly Row[]): void {
    const [oldest] = this.#pages.keys();
    if (this.#pages.size >= mostPages && oldest !== undefined) this.#pages.delete(oldest);
    this.#pages.set(page, rows);
    this.#stale.delete(page);
    if (rows.length < pageSize && (rows.length > 0 || page === 0)) {
      this.#end = page * pageSize + rows.length;
      this.#isEndKnown = true;
    } else if (!this.#isEndKnown) this.#end = Math.max(this.#end, (page + 2) * pageSize);
  }

  #notify(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
