// Parses a long JSON text in pieces, so that other requests run in between: `JSON.parse` cannot be interrupted, and a megabyte of small
// objects with ever new keys keeps it busy for a sixth of a second.
//
// A cut is made at the first comma after enough text. Containers that a cut divides are built here, member by member; every stretch
// between two cuts is handed to `JSON.parse`, which also decides whether it is JSON.

import { type Excess, endOfString, type JsonBounds, jsonCodes, maxJsonNesting } from '../../../core/util/json-nesting.js';

const { quote, comma, colon, openBrace, closeBrace, openBracket, closeBracket } = jsonCodes;

/** In characters: a few milliseconds of parsing at worst. */
export const pieceLength = 64 * 1024;

export interface PieceOptions {
  readonly bounds: JsonBounds;
  /** Parses a JSON text; throws when it is invalid or has the key `__proto__`. No cut divides a string: one call sees the whole of it. */
  readonly parse: (text: string) => unknown;
  /** The error for a text that is not JSON although each of its pieces is. */
  readonly invalid: () => Error;
  readonly tooMuch: (excess: Excess) => Error;
}

/** A container that a cut divided. */
interface Built {
  readonly value: unknown[] | Record<string, unknown>;
  /** Its key in the surrounding object; null in a list and for the root. */
  readonly key: string | null;
  /** Its text is read up to here. */
  read: number;
  /** Its last member was built here as well: a comma or the end must follow. */
  afterBuilt: boolean;
}

export class JsonPieces {
  readonly #text: string;
  readonly #rules: PieceOptions;
  /** The least text between two cuts. */
  readonly #length: number;
  /** For each open container, outermost first: where it begins, and where its current member begins. */
  readonly #opens: number[] = [];
  readonly #members: number[] = [];
  /** The outermost open containers, as far as a cut divided them. */
  readonly #built: Built[] = [];
  #at = 0;
  #containers = 0;
  #keys = 0;
  #root: { readonly value: unknown; readonly end: number } | null = null;

  constructor(text: string, rules: PieceOptions, length = pieceLength) {
    this.#text = text;
    this.#rules = rules;
    this.#length = length;
  }

  /** Reads one more piece; false after the last. */
  next(): boolean {
    const text = this.#text;
    const start = this.#at;
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) at = endOfString(text, at);
      else if (code === comma) {
        this.#separate(at);
        if (at - start < this.#length) continue;
        this.#cut(at);
        this.#at = at + 1;
        return true;
      } else if (code === openBrace || code === openBracket) this.#open(at);
      else if (code === closeBrace || code === closeBracket) this.#close(at, code);
      else if (code === colon) this.#countKey();
    }
    this.#at = text.length;
    return false;
  }

  /** The members of the outermost list read since the last call. The list does not keep them. */
  takeMembers(): readonly unknown[] {
    const list = this.#built[0]?.value;
    return Array.isArray(list) ? list.splice(0) : [];
  }

  /** The parsed value; call it after `next` returned false. */
  value(): unknown {
    if (this.#opens.length > 0) throw this.#rules.invalid();
    if (this.#root === null) return this.#rules.parse(this.#text);
    this.#expectBlank(this.#text.slice(this.#root.end));
    return this.#root.value;
  }

  #countKey(): void {
    this.#keys += 1;
    if (this.#keys > this.#rules.bounds.keys) throw this.#rules.tooMuch('keys');
  }

  #open(at: number): void {
    if (this.#root !== null || this.#innermostBuilt()?.afterBuilt === true) throw this.#rules.invalid();
    this.#opens.push(at);
    this.#members.push(at + 1);
    if (this.#opens.length > maxJsonNesting) throw this.#rules.tooMuch('levels');
    this.#containers += 1;
    if (this.#containers > this.#rules.bounds.containers) throw this.#rules.tooMuch('containers');
  }

  #separate(at: number): void {
    if (this.#opens.length === 0) throw this.#rules.invalid();
    this.#members[this.#members.length - 1] = at + 1;
    const built = this.#innermostBuilt();
    if (built?.afterBuilt !== true) return;
    this.#expectBlank(this.#text.slice(built.read, at));
    built.read = at + 1;
    built.afterBuilt = false;
  }

  #close(at: number, code: number): void {
    const built = this.#innermostBuilt();
    const open = this.#opens.pop();
    this.#members.pop();
    if (open === undefined) throw this.#rules.invalid();
    if (built === undefined) return;
    if ((code === closeBracket) !== Array.isArray(built.value)) throw this.#rules.invalid();
    if (built.afterBuilt) this.#expectBlank(this.#text.slice(built.read, at));
    else this.#read(built, at);
    this.#built.pop();
    this.#hand(built, at + 1);
  }

  /** At a comma of the innermost open container. */
  #cut(at: number): void {
    for (let level = Math.max(this.#built.length - 1, 0); level < this.#opens.length; level += 1) {
      const built = this.#built[level] ?? this.#build(level);
      // A member that ended with a comma is parsed; one that is built here has only begun.
      const end = this.#members[level] ?? at + 1;
      if (end > built.read) this.#read(built, end - 1);
      built.read = end;
    }
  }

  #innermostBuilt(): Built | undefined {
    return this.#built.length === this.#opens.length ? this.#built.at(-1) : undefined;
  }

  /** The text before the bracket must be a key, or blank. `JSON.parse` checks it, with an empty list in place of the container. */
  #build(level: number): Built {
    const open = this.#opens[level] ?? 0;
    const around = this.#built[level - 1];
    const before = this.#text.slice(around === undefined ? 0 : around.read, open);
    let key: string | null = null;
    if (around === undefined || Array.isArray(around.value)) this.#expectBlank(before);
    else key = Object.keys(Object(this.#rules.parse(`{${before}[]}`)))[0] ?? null;
    const value = this.#text.charCodeAt(open) === openBracket ? [] : {};
    const built = { value, key, read: open + 1, afterBuilt: false };
    this.#built.push(built);
    return built;
  }

  /** Parses the members between what is already read and `end`; there must be at least one. */
  #read(built: Built, end: number): void {
    const piece = this.#text.slice(built.read, end);
    if (Array.isArray(built.value)) {
      const members = this.#rules.parse(`[${piece}]`);
      if (!Array.isArray(members) || members.length === 0) throw this.#rules.invalid();
      for (const member of members) built.value.push(member);
    } else {
      const members = Object(this.#rules.parse(`{${piece}}`));
      if (Object.keys(members).length === 0) throw this.#rules.invalid();
      Object.assign(built.value, members);
    }
  }

  /** Adds a finished container to the surrounding one. */
  #hand({ value, key }: Built, end: number): void {
    const around = this.#built.at(-1);
    if (around === undefined) {
      this.#root = { value, end };
      return;
    }
    if (Array.isArray(around.value)) around.value.push(value);
    else if (key !== null) around.value[key] = value;
    around.read = end;
    around.afterBuilt = true;
  }

  #expectBlank(text: string): void {
    this.#rules.parse(`${text}[]`);
  }
}
