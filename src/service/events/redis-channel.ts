// Messages between the processes of the service over Redis, where REDIS_URL is set.

import type { Redis } from 'ioredis';
import type { Channel, ChannelEvents } from '../../core/vendor/dialect.js';

const maxBytes = 1_000_000;

export function openRedisChannel(url: string, name: string, events: ChannelEvents): Channel {
  const opening = connect(url, name, events);
  opening.catch(() => undefined);
  return {
    source: 'Redis',
    maxBytes,
    async send(text) {
      const { sender } = await opening;
      await sender.publish(name, text);
    },
    async close() {
      const { sender, listener } = await opening;
      sender.disconnect();
      listener.disconnect();
    },
  };
}

/** A subscribed connection cannot send commands, so there are two. Both reconnect by themselves after an outage. */
async function connect(url: string, name: string, events: ChannelEvents): Promise<{ readonly sender: Redis; readonly listener: Redis }> {
  const { Redis } = await import('ioredis');
  const sender = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, connectTimeout: 2_000, commandTimeout: 2_000 });
  const listener = new Redis(url, { autoResubscribe: false, connectTimeout: 2_000 });
  // The limiter, which uses the same server, reports outages.
  for (const client of [sender, listener]) client.on('error', () => undefined);
  listener.on('message', (_channel: string, text: string) => events.onText(text));
  listener.on('ready', () => void listener.subscribe(name).then(events.onOpen, () => undefined));
  return { sender, listener };
}
