import { afterEach, expect, it } from 'vitest';
import type { Channel, ChannelEvents } from '../../core/vendor/dialect.js';
import { ChangeFeed } from './change-feed.js';
import { ChangeRelay } from './change-relay.js';
import { PresenceBoard } from './presence-board.js';

const open: ChangeRelay[] = [];

/** A channel that hands every text to all who have opened it, the sender included. */
function makeBus(): { readonly open: (events: ChannelEvents) => Channel; isDown: boolean; reopen(): void } {
  const listeners = new Set<ChannelEvents>();
  const bus = {
    isDown: false,
    reopen: () => {
      for (const { onOpen } of listeners) onOpen();
    },
    open: (events: ChannelEvents): Channel => {
      listeners.add(events);
      return {
        source: 'a test',
        maxBytes: 1_000,
        async send(text) {
          if (bus.isDown) throw new Error('down');
          if (Buffer.byteLength(text) > 1_000) throw new Error('too long');
          for (const { onText } of listeners) onText(text);
        },
        close: async () => undefined,
      };
    },
  };
  return bus;
}

function makeRelay(bus: ReturnType<typeof makeBus>, checkEpochs: () => Promise<void>, board = new PresenceBoard()): ChangeRelay {
  const feed = new ChangeFeed(() => {
    throw new Error('no schema is needed');
  });
  const relay = new ChangeRelay({ feed, board, checkEpochs }, bus.open);
  open.push(relay);
  return relay;
}

afterEach(async () => {
  for (const relay of open.splice(0)) await relay.close();
});

it('makes the other processes check the epochs, and not the one that announces them', async () => {
  const bus = makeBus();
  const checked: string[] = [];
  const first = makeRelay(bus, async () => void checked.push('first'));
  makeRelay(bus, async () => void checked.push('second'));
  makeRelay(bus, async () => void checked.push('third'));
  first.announceEpochs();
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
  first.announceEpochs();
  await expect.poll(() => checks).toBe(1);
  for (let count = 0; count < 5; count += 1) first.announceEpochs();
  ends[0]?.();
  await expect.poll(() => checks).toBe(2);
  ends[1]?.();
  first.announceEpochs();
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
  first.announceEpochs();
  bus.isDown = false;
  first.announceEpochs();
  await expect.poll(() => checks).toBe(1);
});

it('informs the other processes who has items open: changes, everybody in messages that fit, and that all have left at the end', async () => {
  const bus = makeBus();
  const [here, there] = [new PresenceBoard(), new PresenceBoard()];
  const places = Array.from({ length: 100 }, (_, index) => `place ${index}`);
  for (const place of places) here.enter(place, Symbol(place), 'ada');
  const relay = makeRelay(bus, async () => undefined, here);
  makeRelay(bus, async () => undefined, there);
  bus.reopen();
  await expect.poll(() => places.filter((place) => there.usersAt(place).includes('ada')).length).toBe(100);
  there.enter('another', Symbol('visit'), 'bea');
  await expect.poll(() => here.usersAt('another')).toEqual(['bea']);
  await relay.close();
  expect(places.some((place) => there.usersAt(place).length > 0)).toBe(false);
});
