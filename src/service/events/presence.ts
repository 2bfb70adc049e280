// The presence of one caller at an item: other callers who may read the item see it, and it sees them. It depends on a subscription to the
// item, which ends, pauses or changes with the caller's rights. The caller gets of other users what it may read of them; users it may not
// read are only counted.

import { type Caller, findCollection, findField } from '../../core/access/view.js';
import type { Reader } from '../../core/engine/read/reader.js';
import type { Key, Work } from '../../core/engine/work/work.js';
import type { GroupEvent } from './event-log.js';
import type { Joined } from './follower.js';
import type { Question } from './list-reading.js';
import type { PresenceBoard } from './presence-board.js';
import type { SubscriptionOptions } from './subscription.js';
import { textOfKey } from './visible-items.js';

export interface PresenceDeps {
  readonly board: PresenceBoard;
  readonly reader: Reader;
  /** The work of a caller outside of a transaction. */
  readonly work: (caller: Caller) => Work;
  /** The current caller, which changes when its rights are looked up again. */
  readonly caller: () => Caller;
  /** Called with the present state when it has changed. Must not throw. */
  readonly send: (state: PresenceState) => void;
  readonly onEnd: (error: unknown) => void;
  readonly report: (error: unknown) => void;
}

export interface PresenceState {
  /** null: the caller cannot see the item any more. */
  readonly item: Key | null;
  /** The others whom the caller may read, with what it may read of them. */
  readonly users: readonly Readonly<Record<string, unknown>>[];
  /** The number of further users. */
  readonly others: number;
}

const fields = ['id', 'first_name', 'last_name', 'email', 'avatar'] as const;
/** Users beyond this number are only counted. */
const maxNamed = 20;

export class Presence {
  readonly #deps: PresenceDeps;
  readonly #question: Question;
  readonly #visit = Symbol('visit');
  #at: { readonly key: Key; readonly place: string; readonly unwatch: () => void } | null = null;
  #maySend = false;
  #isSending = false;
  #mustSend = false;
  #sent = '';

  /** `question` selects the item, with no fields but its key. */
  constructor(deps: PresenceDeps, question: Question) {
    this.#deps = deps;
    this.#question = question;
  }

  get options(): SubscriptionOptions {
    return {
      question: this.#question,
      onEvent: (event) => this.#note(event),
      onEnd: this.#deps.onEnd,
      onStanding: (standing) => this.#stand(standing),
    };
  }

  /** False if the caller cannot see such an item. */
  begin(joined: Joined): boolean {
    const key = joined.kind === 'begun' ? joined.items?.[0]?.key : undefined;
    if (key !== undefined) this.#goTo(key);
    return key !== undefined;
  }

  #note({ kind, items }: GroupEvent): void {
    const [item] = items;
    if (kind === 'delete' || item === undefined) this.#goTo(null);
    else this.#goTo(item.key);
    void this.#send();
  }

  #stand(standing: 'open' | 'held' | 'paused' | 'stopped'): void {
    this.#maySend = standing === 'open';
    if (standing === 'open') {
      this.#enter();
      void this.#send();
    } else if (standing === 'stopped') this.#goTo(null);
    else if (standing === 'paused' && this.#at !== null) this.#deps.board.leave(this.#at.place, this.#visit);
  }

  #goTo(key: Key | null): void {
    const { board } = this.#deps;
    const place = key === null ? null : JSON.stringify([this.#question.collection, textOfKey(key)]);
    if (this.#at?.place === place) return;
    if (this.#at !== null) {
      this.#at.unwatch();
      board.leave(this.#at.place, this.#visit);
    }
    this.#at = key === null || place === null ? null : { key, place, unwatch: board.watch(place, () => void this.#send()) };
    if (this.#maySend) this.#enter();
  }

  #enter(): void {
    const { user } = this.#deps.caller().accountability;
    if (this.#at !== null && user !== null) this.#deps.board.enter(this.#at.place, this.#visit, user);
  }

  /** One reading at a time; changes meanwhile share the next one. */
  async #send(): Promise<void> {
    this.#mustSend = true;
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#mustSend && this.#maySend) {
        this.#mustSend = false;
        const state = await this.#read(this.#deps.caller());
        const text = JSON.stringify(state);
        if (state === null || this.#mustSend || !this.#maySend || text === this.#sent) continue;
        this.#sent = text;
        this.#deps.send(state);
      }
    } catch (error) {
      this.#deps.report(error);
    } finally {
      this.#isSending = false;
    }
  }

  /** null if the caller cannot see the item any more; the subscription is about to report it. */
  async #read(caller: Caller): Promise<PresenceState | null> {
    const at = this.#at;
    if (at === null || caller.accountability.user === null) return { item: null, users: [], others: 0 };
    const { board, reader, work } = this.#deps;
    const { collection, parsed } = this.#question;
    if ((await reader.keys(work(caller), collection, parsed, [at.key])).length === 0) return null;
    const present = board.usersAt(at.place).filter((user) => user !== caller.accountability.user);
    const users = await this.#people(caller, present.slice(0, maxNamed));
    return { item: at.key, users, others: present.length - users.length };
  }

  async #people(caller: Caller, ids: readonly string[]): Promise<PresenceState['users']> {
    const users = findCollection(caller.view, 'service_users', 'read');
    if (users === null || ids.length === 0 || findField(caller.view, users, 'id', 'read') === null) return [];
    const readable = fields.filter((field) => findField(caller.view, users, field, 'read') !== null);
    const query = { fields: readable, filter: { id: { _in: ids } }, limit: ids.length };
    const found = await this.#deps.reader.objects(this.#deps.work(caller), 'service_users', query);
    return found.toSorted((one, other) => ids.indexOf(String(one['id'])) - ids.indexOf(String(other['id'])));
  }
}
