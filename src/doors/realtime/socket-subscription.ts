// `subscribe` and `presence` messages: parses what a client asks for, and writes the messages of its subscription.

import { type Caller, lookUpCollection } from '../../core/access/view.js';
import { forbidden, invalidPayload, type ServiceError } from '../../core/errors/service-error.js';
import { parseQueryObject } from '../../core/query/parse/parse-query-object.js';
import type { QueryLimits } from '../../core/query/query.js';
import type { PlainObject } from '../../core/util/plain-object.js';
import type { GroupEvent } from '../../service/events/event-log.js';
import type { Joined } from '../../service/events/follower.js';
import type { Question } from '../../service/events/list-reading.js';
import { subscriptionText, type Uid, withUid } from './socket-message.js';

const events = ['create', 'update', 'delete'] as const;

export interface AskedSubscription {
  readonly uid: Uid;
  readonly question: Question;
  /** Only these; null: all, and the present items first. */
  readonly event: (typeof events)[number] | null;
  /** Whether the subscription is about one item, which is then sent without a list around it. */
  readonly isSingle: boolean;
  /** The cursor of the last message that the client has received. */
  readonly since: string | null;
}

export function readSubscription({ collection, event, item, since, query }: PlainObject, uid: Uid, limits: QueryLimits): AskedSubscription {
  if (typeof collection !== 'string') throw invalidPayload('"collection" is required.');
  const known = events.find((name) => name === event) ?? null;
  if (isGiven(event) && known === null) throw invalidPayload(`"event" has to be one of ${events.join(', ')}.`);
  if (isGiven(since) && typeof since !== 'string') throw invalidPayload('"since" has to be a cursor.');
  if (isGiven(item) && typeof item !== 'string' && typeof item !== 'number' && !Array.isArray(item))
    throw invalidPayload('"item" has to be a key.');
  const question = { collection, parsed: parseQueryObject(query ?? {}, limits), keys: isGiven(item) ? [item] : null };
  return { uid, question, event: known, isSingle: isGiven(item), since: typeof since === 'string' ? since : null };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

export function readPresenceAction({ action }: PlainObject): 'enter' | 'leave' {
  if (!isGiven(action) || action === 'enter') return 'enter';
  if (action === 'leave') return 'leave';
  throw invalidPayload('"action" has to be one of enter, leave.');
}

/** Parses the item that the client has open, as a question for its key alone. Throws for callers who are not signed in. */
export function readPresence({ view, accountability }: Caller, { collection: name, item }: PlainObject, limits: QueryLimits): Question {
  if (typeof name !== 'string') throw invalidPayload('"collection" is required.');
  const { primaryKey, singleton } = lookUpCollection(view, name, 'read');
  if (accountability.user === null) throw forbidden();
  if (!isGiven(item) && !singleton) throw invalidPayload('"item" has to be a key.');
  return readSubscription({ collection: name, item, query: { fields: primaryKey } }, null, limits).question;
}

export class SubscriptionWriter {
  readonly #asked: AskedSubscription;
  readonly #sendText: (text: string) => void;

  constructor(asked: AskedSubscription, send: (text: string) => void) {
    this.#asked = asked;
    this.#sendText = send;
  }

  begin(joined: Joined): void {
    if (joined.kind === 'resumed') {
      for (const event of joined.events) this.send(event);
      return;
    }
    const texts = (joined.items ?? []).map(({ text }) => text);
    if (this.#asked.isSingle && texts.length === 0) throw forbidden();
    this.#sendEvent('init', this.#asked.event === null ? this.#dataOf(texts) : null, joined, this.#asked.since !== null);
  }

  send(event: GroupEvent): void {
    const wanted = this.#asked.event;
    const { kind, items } = event;
    if (kind === 'reset') {
      const texts = items.map(({ text }) => text);
      this.#sendEvent('init', wanted === null ? this.#dataOf(texts) : null, event, true);
    } else if (wanted === null || wanted === kind) {
      const [only] = items;
      const { uid, isSingle } = this.#asked;
      const data = (): string => (isSingle && only !== undefined ? only.text : event.data);
      this.#sendText(event.writtenAs(JSON.stringify([uid, isSingle]), () => this.#write(kind, data(), event)));
    }
  }

  /** Informs the client that its subscription has ended because it may no longer read what it asked for. */
  end({ code, message }: ServiceError): void {
    const { uid, question } = this.#asked;
    const error = { code, message };
    this.#sendText(JSON.stringify({ type: 'subscription', event: 'unsubscribe', ...withUid(uid), collection: question.collection, error }));
  }

  #dataOf(texts: readonly string[]): string {
    return this.#asked.isSingle ? (texts[0] ?? 'null') : `[${texts.join(',')}]`;
  }

  #sendEvent(event: string, data: string | null, facts: Pick<GroupEvent, 'meta' | 'cursor'>, isReset = false): void {
    this.#sendText(this.#write(event, data, facts, isReset));
  }

  #write(event: string, data: string | null, { meta, cursor }: Pick<GroupEvent, 'meta' | 'cursor'>, isReset = false): string {
    const { uid, question } = this.#asked;
    return subscriptionText({ event, data, meta, cursor, uid, collection: question.collection, isReset });
  }
}
