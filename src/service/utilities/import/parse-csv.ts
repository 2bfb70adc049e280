// A streaming parser for CSV (RFC 4180): quoted cells may contain commas, quotes and line ends. Errors name the row, counted from the
// first one below the header.

import { invalidPayload } from '../../../core/errors/service-error.js';

/** `quoted` distinguishes "", an empty text, from an empty cell. */
export interface Cell {
  readonly text: string;
  readonly quoted: boolean;
}

const maxColumns = 2000;
/** The most characters of one row. */
const maxRowLength = 4 * 1024 * 1024;

/** Yields one row at a time. `chunks` may be cut anywhere. */
export async function* parseCsv(chunks: AsyncIterable<string>): AsyncGenerator<readonly Cell[]> {
  const parser = new CsvParser();
  for await (const chunk of chunks) yield* parser.push(chunk);
  yield* parser.end();
}

class CsvParser {
  #cells: Cell[] = [];
  #text = '';
  #state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  #afterReturn = false;
  #size = 0;
  #rows = 0;

  *push(chunk: string): Generator<readonly Cell[]> {
    for (let at = 0; at < chunk.length; at += 1) {
      const run = this.#runLength(chunk, at);
      if (run > 0) {
        this.#append(chunk.slice(at, at + run));
        at += run - 1;
        continue;
      }
      if (this.#take(chunk.charAt(at))) yield this.#finishRow();
    }
  }

  *end(): Generator<readonly Cell[]> {
    if (this.#state === 'quoted') throw this.#refuse('A quote is opened and never closed');
    if (this.#state !== 'start' || this.#cells.length > 0) {
      this.#finishCell();
      yield this.#finishRow();
    }
  }

  /** The number of characters from here on without a special meaning. */
  #runLength(chunk: string, from: number): number {
    if (this.#state === 'closed') return 0;
    let at = from;
    if (this.#state === 'quoted') while (at < chunk.length && chunk.charCodeAt(at) !== 34) at += 1;
    else while (at < chunk.length && !isSpecial(chunk.charCodeAt(at))) at += 1;
    return at - from;
  }

  #append(text: string): void {
    this.#size += text.length;
    if (this.#size > maxRowLength) throw this.#refuse(`It is longer than ${maxRowLength} characters`);
    this.#text += text;
    if (this.#state === 'start') this.#state = 'plain';
    this.#afterReturn = false;
  }

  /** Handles a special character; true at the end of a row. */
  #take(character: string): boolean {
    const wasReturn = this.#afterReturn;
    this.#afterReturn = false;
    if (this.#state === 'quoted') {
      this.#state = 'closed';
      return false;
    }
    switch (character) {
      case '"':
        this.#quote();
        return false;
      case ',':
        this.#finishCell();
        return false;
      case '\n':
        if (wasReturn) return false;
        this.#finishCell();
        return true;
      case '\r':
        this.#afterReturn = true;
        this.#finishCell();
        return true;
      default:
        throw this.#refuse('There is text after the closing quote of a cell');
    }
  }

  #quote(): void {
    if (this.#state === 'closed') {
      this.#state = 'quoted';
      this.#append('"');
    } else if (this.#state === 'start') this.#state = 'quoted';
    else throw this.#refuse('There is a quote inside a cell that does not begin with one');
  }

  #finishCell(): void {
    if (this.#cells.length >= maxColumns) throw this.#refuse(`It has more than ${maxColumns} cells`);
    this.#cells.push({ text: this.#text, quoted: this.#state === 'closed' });
    this.#text = '';
    this.#state = 'start';
  }

  #finishRow(): readonly Cell[] {
    const cells = this.#cells;
    this.#cells = [];
    this.#size = 0;
    this.#rows += 1;
    return cells;
  }

  #refuse(reason: string) {
    return invalidPayload(`${this.#rows === 0 ? 'The header' : `Row ${this.#rows}`} of the file cannot be read. ${reason}.`);
  }
}

/** Quote, comma, line feed, carriage return. */
const isSpecial = (code: number): boolean => code === 34 || code === 44 || code === 10 || code === 13;
