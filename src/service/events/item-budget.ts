// Bounds the number of items that groups remember, per group and all together.

export interface ItemBounds {
  /** The bound per group. */
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

  /** Whether a group that holds `held` items may hold `wanted` instead. */
  allows(held: number, wanted: number): boolean {
    return wanted <= this.#bounds.each && this.#used - held + wanted <= this.#bounds.together;
  }

  change(held: number, holds: number): void {
    this.#used += holds - held;
  }
}
