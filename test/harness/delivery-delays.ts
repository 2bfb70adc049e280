// How long after its commit a write of another program reaches a subscriber. A machine that is busy with other things delays everything: the time
// for which this process, which holds the service as well, could not run is measured beside it.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../properties/random.js';
import { makeRandom } from '../properties/random.js';
import type { SocketClient } from './socket-client.js';

export interface Delays {
  readonly median: number;
  readonly p95: number;
  /** Without twice the time for which this process could not run: the database waits for its processor as well. */
  readonly ownP95: number;
}

interface Measured {
  /** Changes the title of an item that the client follows. */
  readonly write: (title: string) => Promise<unknown>;
  readonly client: SocketClient;
  readonly count: number;
  /** Writes come at any moment between two looks of the service, which are so far apart. */
  readonly everyMs: number;
}

export async function measureDelays({ write, client, count, everyMs }: Measured): Promise<Delays> {
  const random: Random = makeRandom(7);
  const clock = watchClock();
  const all: { readonly delay: number; readonly own: number }[] = [];
  try {
    for (let number = 0; number < count; number += 1) {
      const title = `soon ${number}`;
      const arrival = arrivalOf(client, title);
      const late = clock.lateMs();
      await write(title);
      const committed = performance.now();
      const delay = Math.max(0, (await arrival) - committed);
      all.push({ delay, own: Math.max(0, delay - 2 * (clock.lateMs() - late)) });
      await sleep(random.int(everyMs));
    }
  } finally {
    clock.stop();
  }
  const at = (values: readonly number[], share: number): number =>
    Math.round(values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0);
  const delays = all.map(({ delay }) => delay);
  return {
    median: at(delays, 0.5),
    p95: at(delays, 0.95),
    ownP95: at(
      all.map(({ own }) => own),
      0.95,
    ),
  };
}

function arrivalOf({ socket }: SocketClient, title: string): Promise<number> {
  return new Promise((resolve) => {
    const onMessage = (data: unknown): void => {
      if (!String(data).includes(`"${title}"`)) return;
      socket.off('message', onMessage);
      resolve(performance.now());
    };
    socket.on('message', onMessage);
  });
}

const tickMs = 5;

function watchClock(): { readonly lateMs: () => number; readonly stop: () => void } {
  let [late, last] = [0, performance.now()];
  const timer = setInterval(() => {
    const present = performance.now();
    late += Math.max(0, present - last - 2 * tickMs);
    last = present;
  }, tickMs);
  return { lateMs: () => late, stop: () => clearInterval(timer) };
}
