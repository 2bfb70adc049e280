import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { openNotifyChannel } from './notify-channel.js';
import type { OwnClient } from './wire.js';

/** Answers each query a moment later and refuses a second one meanwhile, as `pg` will. */
class OneAtATime extends EventEmitter {
  readonly texts: string[] = [];
  #isBusy = false;

  async query(text: string, values: readonly string[] = []): Promise<void> {
    if (this.#isBusy) throw new Error('the client is executing a query');
    this.#isBusy = true;
    await new Promise((resolve) => setTimeout(resolve, 1));
    this.#isBusy = false;
    this.texts.push(values[1] ?? text);
  }

  async end(): Promise<void> {
    this.emit('end');
  }
}

it('sends one message after the other, and none before it listens', async () => {
  const client = new OneAtATime();
  let isOpen = false;
  const onOpen = (): void => {
    isOpen = true;
  };
  const channel = openNotifyChannel(async () => client as unknown as OwnClient, 'name', { onText: () => undefined, onOpen });
  await expect(channel.send('too early')).rejects.toThrow('not open');
  await expect.poll(() => isOpen).toBe(true);
  await Promise.all(['one', 'two', 'three'].map((text) => channel.send(text)));
  expect(client.texts).toEqual(['LISTEN "name"', 'one', 'two', 'three']);
  await channel.close();
});
