// Values under names. Rows of a bulk have the same names in the same order and share them: a Map for each row would be a good part of what
// a bulk costs, to make and to clean up.

/** Names in the order they came. From one root, the same names in the same order are the same object. */
export class Names {
  readonly size: number;
  readonly #shorter: Names | null;
  readonly #name: string;
  /** How many more of its descendants the root keeps: whoever sends ever new orders gets them unshared. */
  readonly #room: { left: number };
  #longer: Map<string, Names> | null = null;
  // Made when they are asked for: of all the names on the way to a row only the last are.
  #list: readonly string[] | null = null;
  #places: ReadonlyMap<string, number> | null = null;

  private constructor(shorter: Names | null, name: string, room: { left: number }) {
    this.size = shorter === null ? 0 : shorter.size + 1;
    this.#shorter = shorter;
    this.#name = name;
    this.#room = room;
  }

  static root(kept: number): Names {
    return new Names(null, '', { left: kept });
  }

  get list(): readonly string[] {
    if (this.#list !== null) return this.#list;
    const list = new Array<string>(this.size);
    for (let names: Names = this; names.#shorter !== null; names = names.#shorter) list[names.size - 1] = names.#name;
    this.#list = list;
    return list;
  }

  /** Undefined for a name that is none of them. */
  placeOf(name: string): number | undefined {
    this.#places ??= new Map(this.list.map((each, place) => [each, place]));
    return this.#places.get(name);
  }

  /** With one more, which is none of them; null: it is one of them already. */
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
