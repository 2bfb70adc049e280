// The port to the other processes of the same service (WORKERS): announcing changes and sharing counters. The command decides how messages
// travel.

import type { Channel, ChannelEvents } from '../core/vendor/dialect.js';

export interface Siblings {
  /** Resolves when every other process has seen what was committed before the call. */
  announceChange(): Promise<void>;
  /** Calls `notice` when another process announces a change, and at once when one was announced before this call. */
  onChange(notice: () => Promise<void>): Promise<void>;
  /** Counts one attempt in the shared counters: null when it is allowed, else the end of the window (ms since 1970). */
  countAttempt(name: string, key: string): Promise<number | null>;
  /** Counts one event in the shared counters and returns the number in the present window. */
  tally(name: string, key: string): Promise<number>;
  /** Sends a text to every other process; resolves when it is on its way. */
  publish(text: string): Promise<void>;
  onPublished(act: (text: string) => void): void;
}

const maxMessageBytes = 1_000_000;

export function openSiblingChannel(siblings: Siblings, { onText, onOpen }: ChannelEvents): Channel {
  siblings.onPublished(onText);
  setImmediate(onOpen);
  return {
    source: 'the parent process',
    maxBytes: maxMessageBytes,
    send: (text) => siblings.publish(text),
    close: async () => siblings.onPublished(() => undefined),
  };
}
