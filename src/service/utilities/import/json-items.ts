// Streaming parsers for a JSON list and for JSON lines. The entries of a list are found by counting brackets and parsed one by one, so
// that a list may be of any length.

import { invalidPayload } from '../../../core/errors/service-error.js';

const longestItem = 16 * 1024 * 1024;

export async function* parseJsonItems(chunks: AsyncIterable<string>): AsyncGenerator<unknown> {
  const splitter = new ListSplitter();
  for await (const chunk of chunks) yield* splitter.push(chunk);
  splitter.end();
}

/** One JSON value per line; empty lines are skipped. */
export async function* parseJsonLines(chunks: AsyncIterable<string>): AsyncGenerator<unknown> {
  let rest = '';
  let row = 0;
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestItem) throw tooLong(row + 1);
    for (const line of lines.filter((text) => text.trim() !== '')) {
      row += 1;
      yield parseItem(line, row);
    }
  }
  if (rest.trim() !== '') yield parseItem(rest, row + 1);
}

type Place = 'before' | 'between' | 'inside' | 'after';

class ListSplitter {
  #place: Place = 'before';
  #text = '';
  #depth = 0;
  #inString = false;
  #escaped = false;
  #wantsItem = false;
  #row = 0;

  *push(chunk: string): Generator<unknown> {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const character = chunk.charAt(at);
      if (this.#place === 'inside') {
        if (!this.#closes(character)) continue;
        yield this.#finish(chunk.slice(from, at));
      } else if (this.#opens(character)) from = at;
      if (this.#place !== 'inside') this.#step(character);
    }
    if (this.#place === 'inside') this.#keep(chunk.slice(from));
  }

  end(): void {
    if (this.#place !== 'after') throw invalidPayload('The file has to be a JSON list, and ends before the list does.');
  }

  /** Whether an item begins with this character. */
  #opens(character: string): boolean {
    if (this.#place !== 'between' || /[\s,\]]/.test(character)) return false;
    this.#place = 'inside';
    this.#row += 1;
    this.#depth = 0;
    this.#closes(character);
    return true;
  }

  /** Reads a character of an item; true if the item ended before it. */
  #closes(character: string): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (character === '\\') this.#escaped = true;
      else if (character === '"') this.#inString = false;
      return false;
    }
    if (this.#depth === 0 && (character === ',' || character === ']')) return true;
    if (character === '"') this.#inString = true;
    else if (character === '{' || character === '[') this.#depth += 1;
    else if (character === '}' || character === ']') this.#depth -= 1;
    return false;
  }

  #keep(text: string): void {
    this.#text += text;
    if (this.#text.length > longestItem) throw tooLong(this.#row);
  }

  #finish(text: string): unknown {
    this.#keep(text);
    const item = parseItem(this.#text, this.#row);
    this.#text = '';
    this.#place = 'between';
    this.#wantsItem = false;
    return item;
  }

  #step(character: string): void {
    if (/\s/.test(character)) return;
    if (this.#place === 'before' && character === '[') this.#place = 'between';
    else if (this.#place === 'between' && character === ']' && !this.#wantsItem) this.#place = 'after';
    else if (this.#place === 'between' && character === ',' && !this.#wantsItem && this.#row > 0) this.#wantsItem = true;
    else throw invalidPayload(`The file has to be a JSON list; behind item ${this.#row} it is not.`);
  }
}

const tooLong = (row: number) => invalidPayload(`Row ${row} of the file is longer than ${longestItem} characters.`);

function parseItem(text: string, row: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidPayload(`Row ${row} of the file is not valid JSON.`);
  }
}
