// Reads what presences tell their callers: whether the item is still visible, and what may be read of the users who have it open. These
// readings take the turns of the lists, and callers with equal rights at the same item share one.

import { type Caller, findCollection, findField } from '../../core/access/view.js';
import type { Reader } from '../../core/engine/read/reader.js';
import type { Key, Work } from '../../core/engine/work/work.js';
import { parseQueryObject } from '../../core/query/parse/parse-query-object.js';
import type { QueryLimits } from '../../core/query/query.js';
import { rightsKey } from './groups.js';
import type { Question } from './list-reading.js';
import type { PresenceBoard } from './presence-board.js';
import type { Turns } from './turns.js';

export interface PresenceReadingsDeps {
  readonly board: PresenceBoard;
  readonly reader: Reader;
  readonly limits: QueryLimits;
  readonly turns: Turns;
  /** The work of a caller outside of a transaction. */
  readonly work: (caller: Caller) => Work;
  readonly report: (error: unknown) => void;
}

/** An item as a caller with these rights has it open. */
export interface OpenItem {
  readonly caller: Caller;
  readonly question: Question;
  readonly key: Key;
  readonly place: string;
  /** Equal for callers who get the same. */
  readonly rights: string;
  /** The user whose turn it takes. */
  readonly owner: string;
}

export interface Present {
  /** The ids of all users at the item. */
  readonly ids: readonly string[];
  /** The first of them that may be read, in their order. */
  readonly users: readonly Readonly<Record<string, unknown>>[];
}

const fields = ['id', 'first_name', 'last_name', 'email', 'avatar'] as const;
/** Users beyond this number are only counted. */
export const maxNamed = 20;

export class PresenceReadings {
  readonly #deps: PresenceReadingsDeps;
  /** Those that wait for their turn. One that has begun may miss what has changed since, so nobody joins it. */
  readonly #waiting = new Map<string, Promise<Present | null>>();

  constructor(deps: PresenceReadingsDeps) {
    this.#deps = deps;
  }

  /** What `OpenItem` names as rights: what the answer depends on besides the place. */
  rightsOf(caller: Caller, { collection, parsed }: Question): string {
    const { reader, limits } = this.#deps;
    const readable = readableOf(caller);
    const ofUsers =
      readable.length === 0 ? [] : [reader.facts({ caller }, 'service_users', parseQueryObject({ fields: readable }, limits))];
    return rightsKey(caller, [reader.facts({ caller }, collection, parsed), ...ofUsers]);
  }

  /** null if the caller cannot see the item, or if the reading fails. */
  read(item: OpenItem): Promise<Present | null> {
    const name = JSON.stringify([item.place, item.rights]);
    const known = this.#waiting.get(name);
    if (known !== undefined) return known;
    const reading = this.#readInTurn(name, item).catch((error: unknown) => {
      this.#deps.report(error);
      return null;
    });
    this.#waiting.set(name, reading);
    return reading;
  }

  async #readInTurn(name: string, item: OpenItem): Promise<Present | null> {
    const end = await this.#deps.turns.take(item.owner);
    this.#waiting.delete(name);
    try {
      return await this.#read(item);
    } finally {
      end();
    }
  }

  async #read({ caller, question: { collection, parsed }, key, place }: OpenItem): Promise<Present | null> {
    const { board, reader, work } = this.#deps;
    if ((await reader.keys(work(caller), collection, parsed, [key])).length === 0) return null;
    const ids = board.usersAt(place);
    // One more than are named, because nobody is named to themselves.
    return { ids, users: await this.#people(caller, ids.slice(0, maxNamed + 1)) };
  }

  async #people(caller: Caller, ids: readonly string[]): Promise<Present['users']> {
    const readable = readableOf(caller);
    if (readable.length === 0 || ids.length === 0) return [];
    const query = { fields: readable, filter: { id: { _in: ids } }, limit: ids.length };
    const found = await this.#deps.reader.objects(this.#deps.work(caller), 'service_users', query);
    return found.toSorted((one, other) => ids.indexOf(String(one['id'])) - ids.indexOf(String(other['id'])));
  }
}

/** None unless the ids of users may be read. */
function readableOf({ view }: Caller): readonly string[] {
  const users = findCollection(view, 'service_users', 'read');
  if (users === null || findField(view, users, 'id', 'read') === null) return [];
  return fields.filter((field) => findField(view, users, field, 'read') !== null);
}
