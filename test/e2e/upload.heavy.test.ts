// A large upload passes through: what is in memory does not grow with it.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { growthDuring, sendFile } from '../harness/measure-memory.js';
import { build, makeFolder, type RunningCommand, runStart } from '../harness/run-command.js';

const megabyte = 1024 ** 2;
const token = 'tain-test-heavy-token';

describe('an upload of a gigabyte', () => {
  const folder = makeFolder();
  let command: RunningCommand;
  let url: string;

  beforeAll(async () => {
    await build();
    command = runStart(folder, [], { UPLOAD_LIMIT: '2GB', RATE_LIMIT: 'off', ADMIN_TOKEN: token });
    url = await command.address();
  });
  afterAll(async () => {
    command.process.kill('SIGKILL');
    await command.ended;
    folder.remove();
  });

  const send = (megabytes: number) =>
    sendFile(`${url}/files`, token, {
      name: 'big.bin',
      type: 'application/octet-stream',
      pieces: Array.from({ length: megabytes }, () => chunk),
    });
  const chunk = Buffer.alloc(megabyte, 7);

  it('is stored whole, and memory grows by at most 96 MB', async () => {
    expect((await send(8)).status).toBe(200);
    const { result, growth } = await growthDuring(command.process, () => send(1024));
    expect([result.status, JSON.parse(result.text).data.filesize]).toEqual([200, String(1024 * megabyte)]);
    expect(growth).toBeLessThan(96 * megabyte);
  });
});
