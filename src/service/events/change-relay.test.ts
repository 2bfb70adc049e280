import { afterEach, expect, it } from 'vitest';
import type { Channel, ChannelEvents } from '../../core/vendor/dialect.js';
import { ChangeFeed } from './change-feed.js';
import { ChangeRelay } from './change-relay.js';

const open: ChangeRelay[] = [];

/** A channel that hands every text to all who have opened it, the sender included. */
function makeBus(): { readonly open: (events: ChannelEvents) => Channel; isDown: boolean } {
  const listeners = new Set<ChannelEvents>();
  const bus = {
    isDown: false,
    open: (events: ChannelEvents): Channel => {
      listeners.add(events);
      return {
        source: 'a test',
        maxBytes: 1_000,
        async send(text) {
          if (bus.isDown) throw new Error('down');
          for (const { onText } of listeners) onText(text);
        },
        close: async () => undefined,
      };
    },
  };
  return bus;
}

function makeRelay(bus: ReturnType<typeof makeBus>, checkEpochs: () => Promise<void>): ChangeRelay {
  const feed = new ChangeFeed(() => {
    throw new Error('no schema is needed');
  });
  const relay = new ChangeRelay(feed, bus.open, checkEpochs);
  open.push(relay);
  return relay;
}

afterEach(async () => {
  for (const relay of open.splice(0)) await relay.close();
});

it('makes the other processes check the epochs, and not the one that tells', async () => {
  const bus = makeBus();
  const checked: string[] = [];
  const first = makeRelay(bus, async () => void checked.push('first'));
  makeRelay(bus, async () => void checked.push('second'));
  makeRelay(bus, async () => void checked.push('third'));
  first.tellEpochs();
  await expect.poll(() => checked.sort()).toEqual(['second', 'third']);
});

it('checks once more for all messages that arrive during a check, and after a check that failed', async () => {
  const bus = makeBus();
  const first = makeRelay(bus, async () => undefined);
  const ends: (() => void)[] = [];
  let checks = 0;
  makeRelay(bus, () => {
    checks += 1;
    return new Promise((_resolve, reject) => {
      ends.push(() => reject(new Error('the database is away')));
    });
  });
  first.tellEpochs();
  await expect.poll(() => checks).toBe(1);
  for (let count = 0; count < 5; count += 1) first.tellEpochs();
  ends[0]?.();
  await expect.poll(() => checks).toBe(2);
  ends[1]?.();
  first.tellEpochs();
  await expect.poll(() => checks).toBe(3);
});

it('takes a channel that is down as lost messages', async () => {
  const bus = makeBus();
  let checks = 0;
  const first = makeRelay(bus, async () => undefined);
  makeRelay(bus, async () => {
    checks += 1;
  });
  bus.isDown = true;
  first.tellEpochs();
  bus.isDown = false;
  first.tellEpochs();
  await expect.poll(() => checks).toBe(1);
});
