// Repeatable randomness: a case that failed is found again by its seed.

export interface Random {
  /** 0 ≤ n < below */
  int(below: number): number;
  chance(share: number): boolean;
  pick<T>(items: readonly T[]): T;
  some<T>(items: readonly T[], share: number): readonly T[];
}

export function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    int,
    chance: (share) => next() < share,
    pick: (items) => {
      const item = items[int(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    some: (items, share) => items.filter(() => next() < share),
  };
}
