// A million rows go in: what is in memory does not grow with them, and a bad one near the end leaves nothing.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, makeApi } from '../harness/api.js';
import { growthDuring, sendFile } from '../harness/measure-memory.js';
import { build, makeFolder, type RunningCommand, runStart } from '../harness/run-command.js';

const rows = 1_000_000;
const allowedGrowth = 96 * 1024 ** 2;
const token = 'tain-test-heavy-token';

/** `bad`: the row whose number is none. */
function* csvOf(count: number, bad: number | null): Generator<string> {
  yield 'name,amount\n';
  for (let row = 1; row <= count; row += 1) yield `"Row, number ${row}",${row === bad ? 'many' : row}\n`;
}

describe('an import of a million rows', () => {
  const folder = makeFolder();
  let command: RunningCommand;
  let url: string;
  let api: Api;

  beforeAll(async () => {
    await build();
    command = runStart(folder, [], { UPLOAD_LIMIT: '1GB', RATE_LIMIT: 'off', ADMIN_TOKEN: token });
    url = await command.address();
    api = makeApi(url, token);
    const fields = [
      { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
      { field: 'name', type: 'string' },
      { field: 'amount', type: 'integer' },
    ];
    await api.post('/collections', { collection: 'rows', schema: {}, meta: {}, fields });
  });
  afterAll(async () => {
    command.process.kill('SIGKILL');
    await command.ended;
    folder.remove();
  });

  const send = (count: number, bad: number | null = null) =>
    sendFile(`${url}/utils/import/rows`, token, { name: 'rows.csv', type: 'text/csv', pieces: csvOf(count, bad) });
  const total = async (): Promise<number> => Number((await api.get('/items/rows?aggregate[count]=*')).body.data[0].count);

  it('goes in whole, and memory grows by at most 96 MB', async () => {
    expect((await send(20_000)).status).toBe(200);
    const { result, growth } = await growthDuring(command.process, () => send(rows));
    expect(result).toEqual({ status: 200, text: '' });
    expect(await total()).toBe(rows + 20_000);
    expect(growth).toBeLessThan(allowedGrowth);
  });

  it('names the row that is refused and leaves nothing behind', async () => {
    const before = await total();
    const { status, text } = await send(100_000, 99_321);
    expect([status, JSON.parse(text).errors[0].extensions.row]).toEqual([400, 99_321]);
    expect(await total()).toBe(before);
  });
});
