// A body that is a long list of items. It is parsed as the writer takes its parts: while the first items are written, the last are text.

import type { PayloadParts } from '../../../core/engine/write/in-parts.js';
import { JsonPieces, type PieceOptions } from './json-pieces.js';

const opening = /^\s*\[/;

export const isList = (text: string): boolean => opening.test(text);

export class LongList implements PayloadParts {
  readonly #text: string;
  readonly #rules: PieceOptions;

  constructor(text: string, rules: PieceOptions) {
    this.#text = text;
    this.#rules = rules;
  }

  /** Starts at the first item on each call, for a retried transaction. Throws when it reaches text that is not JSON. */
  *parts(length: number): Generator<readonly unknown[]> {
    const pieces = new JsonPieces(this.#text, this.#rules);
    let part: unknown[] = [];
    while (pieces.next()) {
      for (const member of pieces.takeMembers()) {
        part.push(member);
        if (part.length < length) continue;
        yield part;
        part = [];
      }
    }
    const rest = pieces.value();
    if (Array.isArray(rest)) part = part.concat(rest);
    for (let from = 0; from < part.length; from += length) yield part.slice(from, from + length);
  }
}
