// Exchanges messages with the other processes of the service: what each has committed (items, structure, rights), and who has items open.
// The messages make changes known sooner and more exactly than watching the database does. Nothing depends on them: a lost message is made
// up for by watching.

import { randomUUID } from 'node:crypto';
import type { Change } from '../../core/engine/work/changes.js';
import { isPlainObject } from '../../core/util/plain-object.js';
import { tryParseJson } from '../../core/util/try-parse-json.js';
import type { Channel, ChannelEvents } from '../../core/vendor/dialect.js';
import type { ChangeFeed } from './change-feed.js';
import { type PresenceBoard, type PresentUsers, repeatMs } from './presence-board.js';

type Message =
  /** Sent by a process that has just joined, to learn which others have subscribers. */
  | { readonly kind: 'ask' }
  | { readonly kind: 'follows'; readonly isFollowed: boolean }
  | { readonly kind: 'changes'; readonly changes: readonly Change[] }
  /** An epoch has risen: structure, rights or sessions. */
  | { readonly kind: 'epochs' }
  /** Who has items open. */
  | { readonly kind: 'present'; readonly present: readonly PresentUsers[] };

/** A process with subscribers repeats its announcement after this time, and counts as gone after twice as long without one. */
const announceMs = 5 * 60_000;
/** The bytes of a message besides its list of users. */
const presentMargin = 200;
/** The keys that may be queued while a message is sent; beyond that only collections are reported. */
const maxKeys = 1_000;

export interface RelayDeps {
  readonly feed: ChangeFeed;
  readonly board: PresenceBoard;
  /** Reads the epochs; called when another process says that one has risen. */
  readonly checkEpochs: () => Promise<void>;
}

export class ChangeRelay {
  readonly #feed: ChangeFeed;
  readonly #board: PresenceBoard;
  readonly #channel: Channel;
  readonly #id = randomUUID();
  /** The processes with subscribers, each with the time at which its announcement expires. */
  readonly #followers = new Map<string, number>();
  readonly #timers: readonly NodeJS.Timeout[];
  #wasOpen = false;
  #waiting: readonly Change[] = [];
  #isSending = false;
  readonly #waitingPresent = new Map<string, PresentUsers>();
  #isSendingPresent = false;
  readonly #checkEpochs: () => Promise<void>;
  #isChecking = false;
  #mayHaveRisen = false;

  constructor({ feed, board, checkEpochs }: RelayDeps, open: (events: ChannelEvents) => Channel) {
    this.#feed = feed;
    this.#board = board;
    this.#checkEpochs = checkEpochs;
    this.#channel = open({ onText: (text) => this.#receive(text), onOpen: () => this.#begin() });
    this.#timers = [
      setInterval(() => this.#announceAgain(), announceMs).unref(),
      setInterval(() => this.#repeatPresent(), repeatMs).unref(),
    ];
    board.connect((present) => this.#announcePresent([present]));
    feed.connect((changes) => this.#announceChanges(changes));
    feed.onFollowed((isFollowed) => this.#announce({ kind: 'follows', isFollowed }));
  }

  /** What carries the messages. */
  get source(): string {
    return this.#channel.source;
  }

  /** Call it when a change of structure, rights or sessions is committed. */
  announceEpochs(): void {
    this.#announce({ kind: 'epochs' });
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#board.connect(() => undefined);
    this.#feed.followedElsewhere = false;
    await this.#sendPresent(this.#board.all().map(({ place }) => ({ place, users: [] })));
    if (this.#feed.isFollowedHere) await this.#send({ kind: 'follows', isFollowed: false });
    await this.#channel.close().catch(() => undefined);
  }

  #begin(): void {
    this.#announce({ kind: 'ask' });
    if (this.#feed.isFollowedHere) this.#announce({ kind: 'follows', isFollowed: true });
    this.#announcePresent(this.#board.all());
    if (this.#wasOpen) this.#feed.suspect();
    this.#wasOpen = true;
  }

  #announceAgain(): void {
    if (this.#feed.isFollowedHere) this.#announce({ kind: 'follows', isFollowed: true });
    this.#count();
  }

  #repeatPresent(): void {
    this.#board.sweep();
    this.#announcePresent(this.#board.all());
  }

  /** Sends one message at a time; of each place only the latest state is sent. */
  #announcePresent(all: readonly PresentUsers[]): void {
    for (const present of all) this.#waitingPresent.set(present.place, present);
    if (!this.#isSendingPresent) void this.#sendWaitingPresent();
  }

  async #sendWaitingPresent(): Promise<void> {
    this.#isSendingPresent = true;
    while (this.#waitingPresent.size > 0) {
      const all = [...this.#waitingPresent.values()];
      this.#waitingPresent.clear();
      await this.#sendPresent(all);
    }
    this.#isSendingPresent = false;
  }

  /** Splits the list into messages of a size that the channel accepts. */
  async #sendPresent(all: readonly PresentUsers[]): Promise<void> {
    let present: PresentUsers[] = [];
    let size = 0;
    for (const one of all) {
      const length = Buffer.byteLength(JSON.stringify(one)) + 1;
      if (present.length > 0 && size + length > this.#channel.maxBytes - presentMargin) {
        await this.#send({ kind: 'present', present });
        present = [];
        size = 0;
      }
      present.push(one);
      size += length;
    }
    if (present.length > 0) await this.#send({ kind: 'present', present });
  }

  #receive(text: string): void {
    const message = tryParseJson(text);
    if (!isPlainObject(message) || typeof message.from !== 'string' || message.from === this.#id) return;
    if (message.kind === 'ask') this.#answer();
    else if (message.kind === 'epochs') void this.#check();
    else if (message.kind === 'present') this.#board.receive(message.from, message.present);
    else if (message.kind === 'changes') this.#feed.receive(readChanges(message.changes));
    else if (message.kind === 'follows') {
      if (message.isFollowed === true) this.#followers.set(message.from, Date.now() + 2 * announceMs);
      else this.#followers.delete(message.from);
      this.#count();
    }
  }

  #answer(): void {
    if (this.#feed.isFollowedHere) this.#announce({ kind: 'follows', isFollowed: true });
    this.#announcePresent(this.#board.all());
  }

  /** One check at a time; messages that arrive meanwhile share the next one. */
  async #check(): Promise<void> {
    this.#mayHaveRisen = true;
    if (this.#isChecking) return;
    this.#isChecking = true;
    while (this.#mayHaveRisen) {
      this.#mayHaveRisen = false;
      // Ignored here: the schema store reports outages.
      await this.#checkEpochs().catch(() => undefined);
    }
    this.#isChecking = false;
  }

  #count(): void {
    const now = Date.now();
    for (const [id, until] of this.#followers) if (until < now) this.#followers.delete(id);
    this.#feed.followedElsewhere = this.#followers.size > 0;
  }

  /** One message at a time; what is committed meanwhile shares the next one. */
  #announceChanges(changes: readonly Change[]): void {
    this.#waiting = withinBounds([...this.#waiting, ...changes]);
    if (!this.#isSending) void this.#sendWaiting();
  }

  async #sendWaiting(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting.length > 0) {
      const changes = this.#waiting;
      this.#waiting = [];
      await this.#send({ kind: 'changes', changes });
    }
    this.#isSending = false;
  }

  #announce(message: Message): void {
    void this.#send(message);
  }

  async #send(message: Message): Promise<void> {
    const text = JSON.stringify({ from: this.#id, ...message });
    const isShort = Buffer.byteLength(text) <= this.#channel.maxBytes;
    const short = isShort || message.kind !== 'changes' ? text : JSON.stringify({ from: this.#id, ...shortened(message.changes) });
    // Ignored: watching the database makes up for a lost message.
    await this.#channel.send(short).catch(() => undefined);
  }
}

const keysIn = (change: Change): number => (change.kind === 'items' ? change.keys.length : 0);

function withinBounds(changes: readonly Change[]): readonly Change[] {
  const keys = changes.reduce((sum, change) => sum + keysIn(change), 0);
  return keys + changes.length <= 2 * maxKeys ? changes : shortened(changes).changes;
}

const maxNames = 100;

/** Reduces changes to their collections; with too many of those, to "anything may have changed". */
function shortened(changes: readonly Change[]): Message & { readonly kind: 'changes' } {
  const names = new Set(changes.map(({ collection }) => collection));
  const collections = names.size > maxNames ? [null] : [...names];
  return { kind: 'changes', changes: collections.map((collection) => ({ kind: 'unknown', collection })) };
}

const isKeyPart = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
const isKey = (value: unknown): boolean => isKeyPart(value) || (Array.isArray(value) && value.every(isKeyPart));

/** Ignores entries that are not valid, which may come from another version of the service; watching covers them. */
function readChanges(value: unknown): readonly Change[] {
  return Array.isArray(value) ? value.filter(isChange) : [];
}

function isChange(value: unknown): value is Change {
  if (!isPlainObject(value)) return false;
  const { kind, collection, action, keys, fields = [] } = value;
  if (!Array.isArray(fields) || !fields.every((name) => typeof name === 'string')) return false;
  if (kind === 'unknown') return collection === null || typeof collection === 'string';
  const isKnownAction = action === 'create' || action === 'update' || action === 'delete';
  return kind === 'items' && typeof collection === 'string' && isKnownAction && Array.isArray(keys) && keys.every(isKey);
}
