// Bounds the number of items that groups remember: per group, of the groups of one user, and of all groups together.

export interface ItemBounds {
  /** The bound per group. */
  readonly each: number;
  /** The bound for the groups of one user. */
  readonly user: number;
  readonly together: number;
}

export class ItemBudget {
  readonly #bounds: ItemBounds;
  readonly #usedBy = new Map<string, number>();
  #used = 0;

  constructor(bounds: ItemBounds) {
    this.#bounds = bounds;
  }

  get used(): number {
    return this.#used;
  }

  /** Whether a group of this user that holds `held` items may hold `wanted` instead. */
  allows(user: string, held: number, wanted: number): boolean {
    const { each, user: ofUser, together } = this.#bounds;
    const more = wanted - held;
    return wanted <= each && (this.#usedBy.get(user) ?? 0) + more <= ofUser && this.#used + more <= together;
  }

  change(user: string, held: number, holds: number): void {
    const more = holds - held;
    const used = (this.#usedBy.get(user) ?? 0) + more;
    if (used === 0) this.#usedBy.delete(user);
    else this.#usedBy.set(user, used);
    this.#used += more;
  }
}
