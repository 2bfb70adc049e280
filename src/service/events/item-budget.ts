// How many items the groups remember, each and together.

export interface ItemBounds {
  /** Of one group. */
  readonly each: number;
  readonly together: number;
}

export class ItemBudget {
  readonly #bounds: ItemBounds;
  #used = 0;

  constructor(bounds: ItemBounds) {
    this.#bounds = bounds;
  }

  get used(): number {
    return this.#used;
  }

  /** Whether a group that holds `held` may have `wanted` instead. */
  allows(held: number, wanted: number): boolean {
    return wanted <= this.#bounds.each && this.#used - held + wanted <= this.#bounds.together;
  }

  change(held: number, holds: number): void {
    this.#used += holds - held;
  }
}
