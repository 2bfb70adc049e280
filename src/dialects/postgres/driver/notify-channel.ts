// Messages between the processes that use one database, by LISTEN and NOTIFY on a separate connection. A lost connection is reopened.
// Behind a pooler that shares the connection between statements, messages get lost; `Channel` allows that.

import type { Channel, ChannelEvents } from '../../../core/vendor/dialect.js';
import type { OwnClient } from './wire.js';

/** The server refuses payloads of 8000 bytes. */
const maxBytes = 7_900;
const reopenMs = { first: 500, most: 30_000 } as const;

export function openNotifyChannel(open: () => Promise<OwnClient>, name: string, events: ChannelEvents): Channel {
  return new NotifyChannel(open, name, events);
}

class NotifyChannel implements Channel {
  readonly source = 'LISTEN and NOTIFY';
  readonly maxBytes = maxBytes;
  readonly #open: () => Promise<OwnClient>;
  readonly #name: string;
  readonly #events: ChannelEvents;
  /** Set when it listens. */
  #client: OwnClient | null = null;
  /** A client takes one query at a time. */
  #sending: Promise<unknown> = Promise.resolve();
  #opening: Promise<void>;
  #timer: NodeJS.Timeout | null = null;
  #waitMs: number = reopenMs.first;
  #isClosed = false;

  constructor(open: () => Promise<OwnClient>, name: string, events: ChannelEvents) {
    this.#open = open;
    this.#name = name;
    this.#events = events;
    this.#opening = this.#connect();
  }

  send(text: string): Promise<void> {
    const sent = this.#sending.then(() => this.#notify(text));
    this.#sending = sent.catch(() => undefined);
    return sent;
  }

  async #notify(text: string): Promise<void> {
    if (this.#client === null) throw new Error('the connection for notifications is not open');
    await this.#client.query('SELECT pg_notify($1, $2)', [this.#name, text]);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#opening;
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    let client: OwnClient | null = null;
    try {
      client = await this.#open();
      client.on('end', () => this.#reopen());
      client.on('notification', ({ payload }) => this.#events.onText(payload ?? ''));
      await client.query(`LISTEN "${this.#name}"`);
      this.#client = client;
      this.#waitMs = reopenMs.first;
      if (!this.#isClosed) this.#events.onOpen();
    } catch {
      if (client === null) this.#reopen();
      else await client.end().catch(() => undefined);
    }
  }

  /** Waits longer after each failure: the server may be away, or may have no connection to spare. */
  #reopen(): void {
    this.#client = null;
    if (this.#isClosed || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#opening = this.#connect();
    }, this.#waitMs).unref();
    this.#waitMs = Math.min(this.#waitMs * 2, reopenMs.most);
  }
}
