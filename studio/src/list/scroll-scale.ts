// Lists that are longer than the tallest element a browser draws: what is scrolled there stands for a larger distance, so that the end of any
// list can be reached. Shorter lists are scrolled as they are.

/** Browsers draw no taller elements. */
const tallest = 30_000_000;

export interface ScrollScale {
  /** Of the element that is scrolled. */
  readonly height: number;
  /** How far into the list the element is scrolled. */
  toOffset(scrollTop: number): number;
  toScrollTop(offset: number): number;
}

/** `list`: the height of all items; `view`: of those in sight. */
export function scrollScale(list: number, view: number): ScrollScale {
  const ratio = list > tallest ? (list - view) / (tallest - view) : 1;
  return {
    height: Math.min(list, tallest),
    toOffset: (scrollTop) => scrollTop * ratio,
    toScrollTop: (offset) => offset / ratio,
  };
}
