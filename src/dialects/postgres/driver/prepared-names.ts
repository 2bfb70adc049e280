// The prepared statements of one connection. A name is a hash of the text, so that behind a connection pooler a name may be missing, but never
// stands for another statement.

import { createHash } from 'node:crypto';
import type { RowReader } from './cells.js';

const limit = 500;

export interface Prepared {
  readonly name: string;
  /** undefined until the server has described the rows; until then the statement is parsed at every use. */
  reader: RowReader | undefined;
}

export class PreparedNames {
  readonly #byText = new Map<string, Prepared>();
  #toClose: string[] = [];

  get(text: string): Prepared {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    if (this.#byText.size >= limit) this.#forgetOldest();
    const made: Prepared = { name: `tain_${createHash('md5').update(text).digest('hex')}`, reader: undefined };
    this.#byText.set(text, made);
    return made;
  }

  forget(text: string): void {
    const known = this.#byText.get(text);
    if (known === undefined) return;
    this.#byText.delete(text);
    this.#toClose.push(known.name);
  }

  /** Names to close on the server. Closing an unknown name is not an error. */
  takeClosable(): readonly string[] {
    if (this.#toClose.length === 0) return this.#toClose;
    const names = this.#toClose;
    this.#toClose = [];
    return names;
  }

  #forgetOldest(): void {
    const oldest = this.#byText.keys().next();
    if (!oldest.done) this.forget(oldest.value);
  }
}
