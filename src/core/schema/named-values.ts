// Values under names. Rows of a bulk have the same names in the same order and share them: a Map for each row would be a good part of what
// a bulk costs, to make and to clean up.

/** Names in the order they came. From one root, the same names in the same order are the same object. */
export class Names {
  readonly list: readonly string[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #longer = new Map<string, Names>();
  /** How many more of its descendants the root keeps: whoever sends ever new orders gets them unshared. */
  readonly #room: { left: number };

  private constructor(list: readonly string[], room: { left: number }) {
    this.list = list;
    this.#places = new Map(list.map((name, place) => [name, place]));
    this.#room = room;
  }

  static root(kept: number): Names {
    return new Names([], { left: kept });
  }

  /** Undefined for a name that is none of them. */
  placeOf(name: string): number | undefined {
    return this.#places.get(name);
  }

  with(name: string): Names {
    const known = this.#longer.get(name);
    if (known !== undefined) return known;
    const longer = new Names([...this.list, name], this.#room);
    if (this.#room.left > 0) {
      this.#room.left -= 1;
      this.#longer.set(name, longer);
    }
    return longer;
  }
}

export class NamedValues<V> implements ReadonlyMap<string, V> {
  #names: Names;
  readonly #cells: V[] = [];

  constructor(root: Names) {
    this.#names = root;
  }

  /** Shared by all that have the same names in the same order, mostly. */
  get names(): Names {
    return this.#names;
  }

  /** In the order of the names. */
  get cells(): readonly V[] {
    return this.#cells;
  }

  get size(): number {
    return this.#cells.length;
  }

  set(name: string, value: V): void {
    const place = this.#names.placeOf(name);
    if (place !== undefined) this.#cells[place] = value;
    else {
      this.#names = this.#names.with(name);
      this.#cells.push(value);
    }
  }

  get(name: string): V | undefined {
    const place = this.#names.placeOf(name);
    return place === undefined ? undefined : this.#cells[place];
  }

  has(name: string): boolean {
    return this.#names.placeOf(name) !== undefined;
  }

  keys(): MapIterator<string> {
    return this.#names.list.values();
  }

  values(): MapIterator<V> {
    return this.#cells.values();
  }

  /** A list and not a generator, which would make an object more for each of them. */
  entries(): MapIterator<[string, V]> {
    return this.#cells.map((value, place): [string, V] => [this.#names.list[place] ?? '', value]).values();
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }

  forEach(act: (value: V, name: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [name, value] of this) act(value, name, this);
  }
}
