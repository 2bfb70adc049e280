// A million rows go in: what is in memory does not grow with them, and a bad one near the end leaves nothing.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApi } from '../harness/api.js';
import { makeFolder, waitFor } from '../harness/run-command.js';

const rows = 1_000_000;
const allowedGrowth = 96 * 1024 ** 2;
const token = 'tain-test-heavy-token';
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

describe('an import of a million rows', () => {
  const folder = makeFolder();
  let output = '';
  const child = spawn(process.execPath, ['--import', 'tsx', main, 'start'], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      LOG_LEVEL: 'error',
      UPLOAD_LIMIT: '1GB',
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
    const fields = [
      { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
      { field: 'name', type: 'string' },
      { field: 'amount', type: 'integer' },
    ];
    await makeApi(url, token).post('/collections', { collection: 'rows', schema: {}, meta: {}, fields });
  });
  afterAll(() => {
    child.kill('SIGKILL');
    folder.remove();
  });

  const memory = (): number => 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0);

  /** `bad`: the row whose number is none. */
  const send = (count: number, bad: number | null): Promise<{ readonly status: number; readonly text: string }> =>
    new Promise((resolve, reject) => {
      const boundary = 'x----------x';
      const outgoing = request(`${url}/utils/import/rows`, {
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
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="rows.csv"\r\ncontent-type: text/csv\r\n\r\nname,amount\n`,
      );
      let row = 0;
      const write = (): void => {
        while (row < count) {
          row += 1;
          if (!outgoing.write(`"Row, number ${row}",${row === bad ? 'many' : row}\n`)) {
            outgoing.once('drain', write);
            return;
          }
        }
        outgoing.end(`\r\n--${boundary}--\r\n`);
      };
      write();
    });

  const total = async (): Promise<number> => Number((await makeApi(url, token).get('/items/rows?aggregate[count]=*')).body.data[0].count);

  it('goes in whole, and memory grows by at most 96 MB', async () => {
    expect((await send(20_000, null)).status).toBe(200);
    const before = memory();
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, memory());
    }, 50);
    const answer = await send(rows, null);
    clearInterval(watch);
    expect(answer).toEqual({ status: 200, text: '' });
    expect(await total()).toBe(rows + 20_000);
    expect(most - before).toBeLessThan(allowedGrowth);
  });

  it('names the row that is refused and leaves nothing behind', async () => {
    const before = await total();
    const { status, text } = await send(100_000, 99_321);
    expect([status, JSON.parse(text).errors[0].extensions.row]).toEqual([400, 99_321]);
    expect(await total()).toBe(before);
  });
});
