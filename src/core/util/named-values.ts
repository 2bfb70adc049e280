// A map from names to values that shares its names. The rows of a bulk have the same names in the same order; one Map per row would be a
// considerable part of what the bulk costs in allocation and collection.

/**
 * An ordered list of names, built one name at a time. From one root, the same names in the same order give the same object, so two rows
 * have equal columns if their `names` are identical.
 */
export class Names {
  readonly size: number;
  readonly #shorter: Names | null;
  readonly #name: string;
  /** How many more descendants the root will share. Beyond that, new orders of names are created unshared, which bounds the memory. */
  readonly #room: { left: number };
  #longer: Map<string, Names> | null = null;
  // Computed on demand: of all prefixes on the way to a row, only the last one is ever read.
  #list: readonly string[] | null = null;
  #places: ReadonlyMap<string, number> | null = null;

  private constructor(shorter: Names | null, name: string, room: { left: number }) {
    this.size = shorter === null ? 0 : shorter.size + 1;
    this.#shorter = shorter;
    this.#name = name;
    this.#room = room;
  }

  static root(maxShared: number): Names {
    return new Names(null, '', { left: maxShared });
  }

  get list(): readonly string[] {
    if (this.#list !== null) return this.#list;
    const list = new Array<string>(this.size);
    for (let names: Names = this; names.#shorter !== null; names = names.#shorter) list[names.size - 1] = names.#name;
    this.#list = list;
    return list;
  }

  /** Undefined when the name is not in the list. */
  placeOf(name: string): number | undefined {
    this.#places ??= new Map(this.list.map((each, place) => [each, place]));
    return this.#places.get(name);
  }

  /** The list extended by `name`, or null if it contains the name already. */
  with(name: string): Names | null {
    const known = this.#longer?.get(name);
    if (known !== undefined) return known;
    return this.#includes(name) ? null : this.#add(name);
  }

  #includes(name: string): boolean {
    for (let names: Names = this; names.#shorter !== null; names = names.#shorter) if (names.#name === name) return true;
    return false;
  }

  #add(name: string): Names {
    const longer = new Names(this, name, this.#room);
    if (this.#room.left === 0) return longer;
    this.#room.left -= 1;
    this.#longer ??= new Map();
    this.#longer.set(name, longer);
    return longer;
  }
}

export class NamedValues<V> implements ReadonlyMap<string, V> {
  #names: Names;
  readonly #cells: V[] = [];

  constructor(root: Names) {
    this.#names = root;
  }

  /** Identical for rows with the same names in the same order, within the bound of the root. */
  get names(): Names {
    return this.#names;
  }

  /** The values in the order of the names. */
  get cells(): readonly V[] {
    return this.#cells;
  }

  get size(): number {
    return this.#cells.length;
  }

  set(name: string, value: V): void {
    const longer = this.#names.with(name);
    if (longer === null) this.#cells[this.#names.placeOf(name) ?? 0] = value;
    else {
      this.#names = longer;
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

  /** Returns a list, because a generator would allocate one more object per entry. */
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
