// What a write hands to the driver, in how many calls: docs/write-pipeline.md explains the traces. A driver may send one call in several round trips,
// as that of MariaDB does when a SELECT comes between INSERTs.

import { describe, expect, it } from 'vitest';
import { newsroomSchema } from '../../../../test/fixtures/newsroom-schema.js';
import { type WriteVendorName, writeVendors } from '../../../../test/fixtures/write-vendors.js';
import { type Exchange, type Reply, scriptedDriver } from '../../../../test/harness/scripted-connection.js';
import { serviceCaller } from '../../access/view.js';
import { defaultQueryLimits } from '../../query/query.js';
import { DatabaseError } from '../../vendor/database-error.js';
import { openDynamics } from '../work/dynamics.js';
import type { TransactionWork } from '../work/transaction.js';
import { Hooks } from './hooks.js';
import { Writer } from './writer.js';

const now = (): Date => new Date('2026-01-02T03:04:05.678Z');

function openWriter(vendor: WriteVendorName, replies: readonly Reply[] = []) {
  const driver = scriptedDriver([replies]);
  const hooks = new Hooks();
  const writer = new Writer({
    dialect: { ...writeVendors[vendor], driver, deadlines: { poolMs: 1, lockMs: 1, silenceMs: 1 } },
    limits: defaultQueryLimits,
    dynamics: openDynamics({ read: async () => new Map(), check: () => undefined }, now),
    hooks,
    transforms: { hash: async (plain) => plain },
    now,
    lockExclusively: async () => undefined,
    onEffectError: () => undefined,
  });
  const run = <T>(act: (work: TransactionWork) => Promise<T>): Promise<T> => writer.transaction(serviceCaller(newsroomSchema), act);
  return { writer, hooks, run, exchanges: (): readonly Exchange[] => driver.connections.flatMap(({ exchanges }) => exchanges) };
}

/** The exchanges of one create, each as the texts of its statements. */
async function trace(vendor: WriteVendorName, collection: string, payload: unknown): Promise<readonly (readonly string[])[]> {
  const { writer, run, exchanges } = openWriter(vendor);
  await run((work) => writer.createOne(work, collection, payload, null));
  return exchanges().map(({ texts }) => texts);
}

const article = { title: 'One', author: { name: 'Cid' }, comments: [{ text: 'a' }, { text: 'b' }] };

describe('a nested create', () => {
  it('is one exchange on SQLite, whose driver fills the keys in', async () => {
    expect(await trace('sqlite', 'articles', article)).toEqual([
      [
        'INSERT INTO "authors" ("name") VALUES (?) RETURNING "id"',
        'INSERT INTO "articles" ("title", "author", "made") VALUES (?, ?, ?) RETURNING "id"',
        'INSERT INTO "comments" ("text", "article") VALUES (?, ?), (?, ?)',
      ],
    ]);
  });

  it('is one exchange on PostgreSQL, where settings carry the keys', async () => {
    expect(await trace('postgres', 'articles', article)).toEqual([
      [
        `INSERT INTO "authors" ("name") VALUES ($1) RETURNING "id", set_config('tain.keys0', "id"::text, true)`,
        `INSERT INTO "articles" ("title", "author", "made") VALUES ($1, current_setting('tain.keys0')::integer, $2) RETURNING "id", set_config('tain.keys1', "id"::text, true)`,
        `INSERT INTO "comments" ("text", "article") VALUES ($1, current_setting('tain.keys1')::integer), ($2, current_setting('tain.keys1')::integer)`,
      ],
    ]);
  });

  it('is one exchange on MariaDB, where session variables carry the keys', async () => {
    expect(await trace('mariadb', 'articles', article)).toEqual([
      [
        'INSERT INTO `authors` (`name`) VALUES (?) RETURNING `id`',
        'INSERT INTO `articles` (`title`, `author`, `made`) VALUES (?, CAST(@tain_keys0 AS SIGNED), ?) RETURNING `id`',
        'INSERT INTO `comments` (`text`, `article`) VALUES (?, CAST(@tain_keys1 AS SIGNED)), (?, CAST(@tain_keys1 AS SIGNED))',
      ],
    ]);
  });

  it('waits for each key on MySQL, which has no RETURNING', async () => {
    const key = 'SELECT LAST_INSERT_ID(), @@auto_increment_increment';
    expect(await trace('mysql8', 'articles', article)).toEqual([
      ['INSERT INTO `authors` (`name`) VALUES (?)'],
      [key],
      ['INSERT INTO `articles` (`title`, `author`, `made`) VALUES (?, ?, ?)'],
      [key],
      ['INSERT INTO `comments` (`text`, `article`) VALUES (?, ?), (?, ?)'],
    ]);
  });
});

describe('an INSERT is sent at once', () => {
  it('where hooks read values or use keys', async () => {
    const { writer, hooks, run, exchanges } = openWriter('postgres', [[[7]], [[8]]]);
    const seen: unknown[] = [];
    hooks.after('authors', 'create', async ({ items }) => void seen.push(...items.map(({ key }) => key)));
    await run((work) => writer.createOne(work, 'articles', { title: 'One', author: { name: 'Cid' } }, null));
    expect(seen).toEqual([7]);
    expect(exchanges().map(({ texts }) => texts.length)).toEqual([1, 1]);
    expect(exchanges()[1]?.values).toEqual([['One', 7, '2026-01-02T03:04:05.678Z']]);
  });

  it('where a hook before it would read keys that are not generated yet, and not where it reads none', async () => {
    const nested = { title: 'One', author: { name: 'Cid' } };
    const traced = async (hooked: readonly string[], replies: readonly Reply[] = []) => {
      const { writer, hooks, run, exchanges } = openWriter('postgres', replies);
      const seen: unknown[] = [];
      for (const collection of hooked)
        hooks.before(collection, 'create', async ({ items }) => {
          seen.push(...items.map(({ values }) => Object.fromEntries(values)));
          return undefined;
        });
      await run((work) => writer.createOne(work, 'articles', nested, null));
      return { seen, lengths: exchanges().map(({ texts }) => texts.length) };
    };
    expect(await traced(['authors'])).toEqual({ seen: [{ name: 'Cid' }], lengths: [2] });
    expect(await traced(['articles'], [[[7]], [[8]]])).toMatchObject({ seen: [{ title: 'One', author: 7 }], lengths: [1, 1] });
  });

  it('but not for observers, who take pending keys', async () => {
    const { writer, hooks, run, exchanges } = openWriter('postgres');
    hooks.observe('authors', 'create', async () => undefined);
    await run((work) => writer.createOne(work, 'articles', { title: 'One', author: { name: 'Cid' } }, null));
    expect(exchanges()).toHaveLength(1);
  });

  it('where it generates more keys than may be pending', async () => {
    const exchangesOf = async (count: number): Promise<readonly number[]> => {
      const keys = Array.from({ length: count }, (_, index) => [index + 1]);
      const { writer, run, exchanges } = openWriter('postgres', [[[1]], keys]);
      const tags = keys.map(([key]) => ({ tag: { name: `t${key}` } }));
      await run((work) => writer.createOne(work, 'articles', { title: 'One', tags }, null));
      return exchanges().map(({ texts }) => texts.length);
    };
    expect([await exchangesOf(16), await exchangesOf(17)]).toEqual([[3], [2, 1]]);
  });

  it('where a key is given for a generated column, which has to be moved past it', async () => {
    const texts = await trace('postgres', 'teams', { id: 900, name: 'x' });
    expect(texts.map(([text]) => text?.split(' ')[0])).toEqual(['INSERT', 'SELECT']);
  });
});

it('keys and order: what is returned in any order belongs to the rows by its keys', async () => {
  const { writer, run } = openWriter('postgres', [[[12], [10], [11]]]);
  expect(await run((work) => writer.create(work, 'teams', [{ name: 'a' }, { name: 'b' }, { name: 'c' }]))).toEqual([10, 11, 12]);
});

it('the refusal of a queued INSERT names its own collection', async () => {
  const refusal = new DatabaseError('unique', 'twice', { table: 'authors', columns: ['name'] });
  const { writer, run } = openWriter('postgres', [refusal]);
  const work = run((inside) => writer.createOne(inside, 'articles', article, null));
  await expect(work).rejects.toMatchObject({
    entries: [{ code: 'RECORD_NOT_UNIQUE', extensions: { collection: 'authors', field: 'name' } }],
  });
});
