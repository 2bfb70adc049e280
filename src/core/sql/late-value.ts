// Values that a statement makes and others of the same transaction name before it has run: the numbers of a counter. Drivers that send
// several statements in one exchange put them in place on the other side; nobody goes there and back for a key.

/** More rows than this are worth an exchange of their own. */
export const mostCounted = 16;

/** The numbers one INSERT gets from its table's counter, in the order of its rows: the first cell of what it returns. */
export class Counter {
  /** Its number among those of the transaction. */
  readonly place: number;
  readonly rows: number;
  #numbers: readonly unknown[] | null = null;

  constructor(place: number, rows: number) {
    this.place = place;
    this.rows = rows;
  }

  /** Counters ascend in the order of the rows, whatever the order in which they are told. */
  settle(numbers: readonly unknown[]): void {
    this.#numbers = ascend(numbers) ? numbers : numbers.toSorted((a, b) => Number(a) - Number(b));
  }

  /** undefined before the INSERT has run. */
  at(row: number): unknown {
    return this.#numbers?.[row];
  }
}

const ascend = (numbers: readonly unknown[]): boolean =>
  numbers.every((number, index) => index === 0 || Number(numbers[index - 1]) < Number(number));

export class LateValue {
  readonly counter: Counter;
  readonly row: number;
  /** Tells it from others of its transaction; those of one name are written alike. */
  readonly name: string;

  constructor(counter: Counter, row: number) {
    this.counter = counter;
    this.row = row;
    this.name = `${counter.place}.${row}/${counter.rows}`;
  }

  /** The number itself once it is known. */
  now(): unknown {
    return this.counter.at(this.row) ?? this;
  }
}

/** A text with late values in it. */
export class LateText {
  readonly parts: readonly (string | LateValue)[];

  constructor(parts: readonly (string | LateValue)[]) {
    this.parts = parts;
  }

  /** The late values, in their order. */
  get values(): readonly LateValue[] {
    return this.parts.filter((part) => typeof part !== 'string');
  }

  /** The text with something else in their places. */
  template(ofText: (text: string) => string, ofLate: (place: number) => string): string {
    let template = '';
    let place = 0;
    for (const part of this.parts) template += typeof part === 'string' ? ofText(part) : ofLate(place++);
    return template;
  }
}

export type Late = LateValue | LateText;

/** What stands at a place of a statement's values. */
export interface LatePlace {
  readonly at: number;
  readonly late: Late;
}

export const isLate = (value: unknown): value is Late => value instanceof LateValue || value instanceof LateText;
