// `tain compare`: two servers with the same bookshop answer alike, and what was changed on one of them is found, with a sample.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareAnswers } from '../../src/command/compare/compare-answers.js';
import { readsOfLog } from '../../src/command/compare/read-log.js';
import { build, type Folder, makeFolder, type RunningCommand, runTain } from '../harness/run-command.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

const fixture = `create table authors (id integer primary key, name text not null, born date);
create table books (id integer primary key, title text not null, price real, author integer references authors (id));
insert into authors values (1, 'Ada', '1815-12-10'), (2, 'Mary', '1797-08-30');
insert into books values (1, 'Notes', 1.5, 1), (2, 'Frankenstein', 2.5, 2), (3, 'The last man', null, 2);`;

const sqlite = { name: 'sqlite', server: '', label: 'SQLite' } as const;

describe('tain compare', () => {
  let one: TestService;
  let other: TestService;
  let folder: Folder;

  beforeAll(async () => {
    await build();
    folder = makeFolder();
    const config = { storageRoot: join(folder.path, 'uploads') };
    one = await startService(sqlite, { fixture, config });
    other = await startService(sqlite, { fixture, config });
  });

  afterAll(async () => {
    await one?.stop();
    await other?.stop();
    folder?.remove();
  });

  const run = (...more: readonly string[]): RunningCommand =>
    runTain(folder, ['compare', '--with', one.url, '--to', other.url, '--token', adminToken, ...more]);

  it('finds what differs, by endpoint and with samples', async () => {
    const differs = run('--report', 'found.html');
    const code = await differs.ended;
    // The two installations have users of their own; their items are the same.
    expect(differs.output()).toMatch(/^\/items\s+\d+ equal, \d+ different on purpose, 0 different$/m);
    expect(differs.output()).toMatch(/^\/items \(nested\)\s+\d+ equal, \d+ different on purpose, 0 different$/m);
    expect(differs.output()).toMatch(/^\/graphql\s+\d+ equal, \d+ different on purpose, 0 different$/m);
    expect([code, differs.output()]).toEqual([1, expect.stringMatching(/GET \/users\/me as the administrator/)]);
    await other.api.patch('/items/books/1', { title: 'Changed <b>here</b>' });
    const changed = run('--report', 'changed.html');
    expect(await changed.ended).toBe(1);
    expect(changed.output()).toMatch(/GET \/items\/books\?\S+ as the administrator\n\s+body\.data\.0\.title: .+ → "Changed <b>here<\/b>"/);
    expect(readFileSync(join(folder.path, 'changed.html'), 'utf8')).toContain('Changed &lt;b&gt;here&lt;/b&gt;');
  });

  it('replays the reads of a log, and ends with 0 if all answers are equal', async () => {
    writeFileSync(
      join(folder.path, 'access.log'),
      [
        '127.0.0.1 - - [16/Nov/2026:10:00:00 +0000] "GET /items/authors?sort=id&access_token=secret HTTP/1.1" 200 12 "-" "-"',
        '127.0.0.1 - - [16/Nov/2026:10:00:00 +0000] "POST /items/authors HTTP/1.1" 200 12 "-" "-"',
        '{"method":"GET","url":"/items/authors?sort=-id"}',
      ].join('\n'),
    );
    const replayed = run('--requests', 'access.log');
    expect(await replayed.ended, replayed.output()).toBe(0);
    expect(replayed.output()).toContain('100 % alike: 4 equal, 0 different on purpose, 0 different');
  });

  it('says in one line what it lacks', async () => {
    const lacking = runTain(folder, ['compare', '--with', one.url]);
    expect([await lacking.ended, lacking.output().split('\n').length]).toEqual([1, 2]);
    const refused = runTain(folder, ['compare', '--with', one.url, '--to', other.url, '--token', 'nobody-has-this']);
    expect([await refused.ended, refused.output()]).toEqual([1, expect.stringContaining('is the token that of an administrator?')]);
  });
});

it('reads GETs of logs only, each once, without tokens', () => {
  const log =
    '"GET /items/a?b=1&access_token=x HTTP/2.0"\n"GET /items/a?b=1 HTTP/1.1"\n"GET /auth/login HTTP/1.1"\n"GET /assets/1?width=2 HTTP/1.1"\nnoise';
  expect(readsOfLog(log)).toEqual([
    { endpoint: '/items', path: '/items/a?b=1' },
    { endpoint: '/assets', path: '/assets/1?width=2', ofContent: 'type' },
  ]);
});

it.each([
  [{ data: [{ a: 1 }] }, { data: [{ a: 1 }] }, 'equal'],
  [{ data: [{ price: 1.5 }] }, { data: [{ price: '1.50' }] }, 'meant'],
  [{ data: [{ special: ['a', 'b'] }] }, { data: [{ special: 'a,b' }] }, 'meant'],
  [{ data: [] }, { data: {} }, 'different'],
  [{ errors: [{ message: 'a', extensions: { code: 'X' } }] }, { errors: [{ message: 'b', extensions: { code: 'X' } }] }, 'equal'],
  [{ data: [{ a: null }] }, { data: [{}] }, 'different'],
])('%j beside %j: %s', (one, other, outcome) => {
  const read = { endpoint: '/', path: '/' };
  expect(compareAnswers(read, { status: 200, body: one }, { status: 200, body: other }).outcome).toBe(outcome);
});
