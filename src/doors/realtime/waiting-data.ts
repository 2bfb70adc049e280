// Bounds the data that waits for slow clients: of one user, and of the process. Beyond a bound the connections that have taken nothing for longest
// are dropped first. What has just been sent to many clients at once is on its way and not slow, so that it counts after a moment only, unless
// there is twice as much as may wait.

/** A connection for which data waits. */
export interface Waiter {
  readonly owner: string;
  /** Called when the connection has to go. What it reports from now on is ignored. */
  readonly drop: () => void;
}

interface Waiting {
  readonly size: number;
  /** When it last took something, or began to wait. */
  readonly since: number;
  readonly owner: string;
}

export interface WaitingBounds {
  /** In bytes, of the connections of one user. */
  readonly user: number;
  readonly together: number;
}

const slowMs = 1_000;

export class WaitingData {
  readonly #bounds: WaitingBounds;
  readonly #waiting = new Map<Waiter, Waiting>();
  readonly #users = new Map<string, number>();
  #size = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(bounds: WaitingBounds) {
    this.#bounds = bounds;
  }

  /** Records how much waits for the connection now. */
  note(waiter: Waiter, size: number): void {
    const known = this.#waiting.get(waiter);
    const isMore = size > (known?.size ?? 0);
    this.#forget(waiter);
    if (size === 0) return;
    const { owner } = waiter;
    const since = known !== undefined && isMore ? known.since : performance.now();
    this.#waiting.set(waiter, { size, since, owner });
    this.#count(owner, size);
    if (isMore) this.#bound(owner);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #forget(waiter: Waiter): void {
    const known = this.#waiting.get(waiter);
    if (known === undefined) return;
    this.#waiting.delete(waiter);
    this.#count(known.owner, -known.size);
  }

  #count(owner: string, more: number): void {
    const size = (this.#users.get(owner) ?? 0) + more;
    if (size === 0) this.#users.delete(owner);
    else this.#users.set(owner, size);
    this.#size += more;
  }

  #bound(owner: string): void {
    const { user, together } = this.#bounds;
    const ofUser = this.#users.get(owner) ?? 0;
    if (ofUser > 2 * user) this.#drop(() => this.#users.get(owner) ?? 0, user, owner);
    if (this.#size > 2 * together) this.#drop(() => this.#size, together, null);
    if (ofUser > user || this.#size > together) this.#timer ??= setTimeout(() => this.#dropSlow(), slowMs).unref();
  }

  #dropSlow(): void {
    const { user, together } = this.#bounds;
    this.#timer = null;
    for (const [owner, size] of [...this.#users]) if (size > user) this.#drop(() => this.#users.get(owner) ?? 0, user, owner);
    if (this.#size > together) this.#drop(() => this.#size, together, null);
    const isOver = this.#size > together || [...this.#users.values()].some((size) => size > user);
    if (isOver) this.#timer = setTimeout(() => this.#dropSlow(), slowMs).unref();
  }

  /** `owner` null: of all users. */
  #drop(size: () => number, most: number, owner: string | null): void {
    const mayBeFast = size() > 2 * most;
    const now = performance.now();
    const slowest = [...this.#waiting]
      .filter(([, waiting]) => owner === null || waiting.owner === owner)
      .toSorted(([, one], [, other]) => one.since - other.since);
    for (const [waiter, { since }] of slowest) {
      if (size() <= most || (!mayBeFast && now - since < slowMs)) return;
      this.#forget(waiter);
      waiter.drop();
    }
  }
}
