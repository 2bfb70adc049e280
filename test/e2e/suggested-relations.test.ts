// Relations that nobody declared: applications without foreign keys name their columns by habits, and the stored values prove or refute the guess.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { makeUser } from '../harness/make-user.js';
import { readStructure } from '../harness/read-structure.js';
import { build, makeFolder, runTain } from '../harness/run-command.js';
import { startService, type TestService } from '../harness/start-service.js';

const fixture = `create table wp_users (id integer primary key, login varchar(50));
insert into wp_users values (1, 'ann'), (2, 'bob'), (3, 'cid');
create table wp_posts (id integer primary key, post_author integer, post_parent integer, menu_order integer, title varchar(50));
insert into wp_posts values (10, 1, 0, 1, 'a'), (11, 2, 10, 2, 'b'), (12, 2, 11, 3, 'c');
create table wp_comments (comment_id integer primary key, comment_post_id integer, user_id integer, body varchar(50));
insert into wp_comments values (1, 10, 1, 'x'), (2, 11, 0, 'y'), (3, 12, 3, 'z');
create table wp_postmeta (meta_id integer primary key, post_id integer, comment_id integer, meta_value varchar(50));
insert into wp_postmeta values (1, 10, 1, 'm'), (2, 10, 2, 'n');
create table wp_visits (id integer primary key, user_id integer, post_id integer);
insert into wp_visits values (1, 77, 10), (2, 78, 11), (3, 79, 12);
create table wp_drafts (id integer primary key, post_id integer);
create table wp_categories (id integer primary key, label varchar(50), parent_id integer);
insert into wp_categories values (1, 'a', null), (2, 'b', 1);
create table wp_entries (id integer primary key, catid integer);
insert into wp_entries values (1, 1), (2, 2);`;

beforeAll(build, 300_000);

describeEachVendor('relations that nobody declared', (vendor) => {
  let service: TestService;
  const suggested = async (): Promise<readonly string[]> =>
    (await service.api.get('/utils/relations/suggest')).body.data
      .map(
        (one: Readonly<Record<string, unknown>>) =>
          `${one.collection}.${one.field} ${one.related_collection}.${one.one_field} ${one.matched}/${one.compared}`,
      )
      .toSorted();

  beforeAll(async () => {
    service = await startService(vendor, { area: 'suggest', fixture });
  });
  afterAll(() => service.stop());

  it('are proposed by names and values, without a write', async () => {
    const before = [await service.checksums(), await readStructure(vendor.name, service)];
    expect(await suggested()).toEqual([
      'wp_categories.parent_id wp_categories.wp_categories_by_parent_id 1/1',
      'wp_comments.comment_post_id wp_posts.wp_comments 3/3',
      'wp_comments.user_id wp_users.wp_comments 2/2',
      'wp_drafts.post_id wp_posts.wp_drafts 0/0',
      'wp_entries.catid wp_categories.wp_entries 2/2',
      'wp_postmeta.comment_id wp_comments.wp_postmeta 2/2',
      'wp_postmeta.post_id wp_posts.wp_postmeta 1/1',
      'wp_posts.post_author wp_users.wp_posts 2/2',
      'wp_posts.post_parent wp_posts.wp_posts_by_post_parent 2/2',
      'wp_visits.post_id wp_posts.wp_visits 3/3',
    ]);
    expect([await service.checksums(), await readStructure(vendor.name, service)]).toEqual(before);
  });

  it('take a statement for each candidate, however many rows there are', async () => {
    expect(await service.countStatements(suggested)).toBeLessThan(30);
  });

  it('are for administrators', async () => {
    const { token } = await makeUser(service.api, 'reader', [{ collection: 'wp_posts', action: 'read' }]);
    expect((await service.as(token).get('/utils/relations/suggest')).status).toBe(403);
    expect((await service.as(null).get('/utils/relations/suggest')).status).toBe(403);
  });

  it('become relations when they are accepted, as metadata only', async () => {
    const before = await readStructure(vendor.name, service);
    const all: readonly Readonly<Record<string, unknown>>[] = (await service.api.get('/utils/relations/suggest')).body.data;
    const author = all.find(({ field }) => field === 'post_author');
    const { one_field, compared: _, matched: __, ...ends } = author ?? {};
    expect((await service.api.post('/relations', { ...ends, schema: null, meta: { one_field } })).status).toBe(200);
    expect((await service.api.get('/items/wp_users/2?fields=login,wp_posts.title')).body.data).toEqual({
      login: 'bob',
      wp_posts: [{ title: 'b' }, { title: 'c' }],
    });
    expect(await suggested()).not.toContain('wp_posts.post_author wp_users.wp_posts 2/2');
    expect(await readStructure(vendor.name, service)).toEqual(before);
  });

  it('are printed and accepted by the command', async () => {
    const folder = makeFolder();
    const run = async (...more: readonly string[]): Promise<string> => {
      const command = runTain(folder, ['relations', 'suggest', service.databaseUrl, ...more]);
      expect([await command.ended, command.output()]).toEqual([0, expect.any(String)]);
      return command.output();
    };
    expect(await run()).toContain('wp_comments.comment_post_id → wp_posts   (3 of 3 values match)');
    expect(await run('--accept')).toContain('Created 8 of 9, as metadata only.');
    folder.remove();
    const read = async (): Promise<unknown> =>
      (await service.api.get('/items/wp_posts/11?fields=post_parent.title,wp_comments.user_id.login')).body.data;
    await expect.poll(read, { timeout: 10_000 }).toEqual({ post_parent: { title: 'a' }, wp_comments: [{ user_id: null }] });
    expect(await suggested()).toEqual(['wp_drafts.post_id wp_posts.wp_drafts 0/0']);
  });
});
