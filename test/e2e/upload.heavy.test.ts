// A large upload passes through: what is in memory does not grow with it.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, waitFor } from '../harness/run-command.js';

const gigabyte = 1024 ** 3;
const allowedGrowth = 96 * 1024 ** 2;
const token = 'tain-test-heavy-token';
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

describe('an upload of a gigabyte', () => {
  const folder = makeFolder();
  let output = '';
  const child = spawn(process.execPath, ['--import', 'tsx', main, 'start'], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      LOG_LEVEL: 'error',
      UPLOAD_LIMIT: '2GB',
      RATE_LIMIT: 'off',
      ADMIN_TOKEN: token,
      DATABASE_URL: `sqlite:${folder.path}/tain.db`,
      STORAGE_ROOT: `${folder.path}/uploads`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  let url: string;

  beforeAll(async () => {
    url = await waitFor(() => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? null, 60_000);
  });
  afterAll(() => {
    child.kill('SIGKILL');
    folder.remove();
  });

  const memory = (): number => 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0);

  const send = (bytes: number): Promise<{ readonly status: number; readonly text: string }> =>
    new Promise((resolve, reject) => {
      const boundary = 'x----------x';
      const outgoing = request(`${url}/files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
      });
      outgoing.once('error', reject).once('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      outgoing.write(
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="big.bin"\r\ncontent-type: application/octet-stream\r\n\r\n`,
      );
      const chunk = Buffer.alloc(1024 ** 2, 7);
      let left = bytes;
      const write = (): void => {
        while (left > 0) {
          left -= chunk.length;
          if (!outgoing.write(chunk)) {
            outgoing.once('drain', write);
            return;
          }
        }
        outgoing.end(`\r\n--${boundary}--\r\n`);
      };
      write();
    });

  it('is stored whole, and memory grows by at most 96 MB', async () => {
    expect((await send(8 * 1024 ** 2)).status).toBe(200);
    const before = memory();
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, memory());
    }, 50);
    const answer = await send(gigabyte);
    clearInterval(watch);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text).data.filesize).toBe(String(gigabyte));
    expect(most - before).toBeLessThan(allowedGrowth);
  });
});
