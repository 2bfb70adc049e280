// Reads server-sent events as a browser would, and keeps them.

import { patience } from './patience.js';
import { waitFor } from './run-command.js';

interface ServerEvent {
  readonly event: string;
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into events of every shape
  readonly data: any;
}

export interface EventSourceClient {
  readonly status: number;
  readonly events: readonly ServerEvent[];
  next(event: string): Promise<ServerEvent>;
  /** Resolves when the service has ended the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

export async function openEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
  onEvent: (event: ServerEvent) => void = () => undefined,
): Promise<EventSourceClient> {
  const stop = new AbortController();
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: stop.signal });
  const events: ServerEvent[] = [];
  const read = async (): Promise<void> => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks.filter((one) => !one.startsWith(':'))) {
        const event = parse(block);
        events.push(event);
        onEvent(event);
      }
    }
  };
  return {
    status: response.status,
    events,
    next: (event) =>
      waitFor(
        () => events.find((one) => one.event === event) ?? null,
        patience,
        () => `an event "${event}"`,
        5,
      ),
    ended: read().catch(() => undefined),
    close: () => stop.abort(),
  };
}

/** The items that a client has after these events, by their `id`. Any of them may be a `reset`, which replaces the whole list. */
export function itemsAfter(events: readonly ServerEvent[]): ReadonlyMap<unknown, Readonly<Record<string, unknown>>> {
  const items = new Map<unknown, Readonly<Record<string, unknown>>>();
  for (const { event, data } of events) {
    if (event === 'init' || event === 'reset') items.clear();
    if (event === 'delete') for (const key of data.data) items.delete(key);
    else for (const item of data.data) items.set(item.id, item);
  }
  return items;
}

function parse(block: string): ServerEvent {
  const field = (name: string): string =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${name}: `))
      .map((line) => line.slice(name.length + 2))
      .join('\n');
  return { event: field('event'), id: field('id'), data: JSON.parse(field('data')) };
}
