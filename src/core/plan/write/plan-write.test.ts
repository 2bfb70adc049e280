import { describe, expect, it } from 'vitest';
import { printPlan } from '../../../../test/fixtures/print-plan.js';
import { adminContext, contextWith, someUuid } from '../../../../test/fixtures/write-context.js';
import { bindBatch, bindCreate, bindDelete, bindUpdate, bindUpsert } from './bind-write.js';
import { planDelete, planWrite } from './plan-write.js';

const create = (collection: string, ...payloads: readonly unknown[]): readonly string[] => {
  const context = adminContext();
  return printPlan(planWrite(context, bindCreate(context, collection, payloads)));
};

const update = (collection: string, keys: readonly unknown[], payload: unknown, context = adminContext()): readonly string[] =>
  printPlan(planWrite(context, bindUpdate(context, collection, keys, payload)));

const stamp = '2026-01-02T03:04:05.678Z';

describe('planWrite: to-one', () => {
  it('links by key without looking when the database keeps the foreign key and the caller reads all', () => {
    expect(create('authors', { name: 'Ann', team: 3 })).toEqual(['insert authors #1 {name: Ann, team: 3}']);
  });

  it('creates what a new item points at first', () => {
    expect(create('articles', { title: 'One', author: { name: 'Cid', team: { name: 'Desk' } } })).toEqual([
      'insert teams #1 {name: Desk}',
      'insert authors #2 {name: Cid, team: #1.id}',
      `insert articles #3 {title: One, author: #2.id, made: ${stamp}}`,
    ]);
  });

  it('updates an object with a key and links it', () => {
    expect(update('articles', [1], { author: { id: '2', name: 'Benno' } })).toEqual([
      'update authors 2 {name: Benno}',
      `update articles 1 {author: #1.id, changed: ${stamp}}`,
    ]);
  });

  it('checks an object with only a key', () => {
    expect(update('articles', [1], { author: { id: 2 } })).toEqual([
      'check authors 2',
      `update articles 1 {author: #1.id, changed: ${stamp}}`,
    ]);
  });

  it('creates an unknown key only where clients choose keys', () => {
    expect(create('authors', { name: 'A', country: { code: 'no', name: 'Norway' } })).toEqual([
      'find countries code=no',
      'insert countries no if missing {code: no, name: Norway}',
      'update countries no if found {name: Norway}',
      'insert authors #2 {name: A, country: #1.code}',
    ]);
  });

  it('writes a nested item once for all keys of one update', () => {
    expect(update('authors', [1, 2], { team: { name: 'New' } })).toEqual([
      'insert teams #1 {name: New}',
      'update authors 1 {team: #1.id} 2 {team: #1.id}',
    ]);
  });

  it('takes the same nested update of many items as one', () => {
    expect(create('authors', ...['a', 'b', 'c'].map((name) => ({ name, team: { id: 7, name: 'T' } })))).toEqual([
      'update teams 7 {name: T}',
      'insert authors #2 {name: a, team: #1.id} #3 {name: b, team: #1.id} #4 {name: c, team: #1.id}',
    ]);
  });
});

describe('planWrite: to-many', () => {
  it('gives the children of a new parent its key', () => {
    expect(create('teams', { name: 'Sports', members: [{ name: 'Eve' }, { name: 'Fay' }] })).toEqual([
      'insert teams #1 {name: Sports}',
      'insert authors #2 {name: Eve, team: #1.id} #3 {name: Fay, team: #1.id}',
    ]);
  });

  it('basic form: unlinks what is left out, links, updates and creates', () => {
    expect(update('teams', [2], { members: [5, { id: 6, name: 'Faye' }, { name: 'Gus' }, '5'] })).toEqual([
      'update teams 2 {}',
      'list 1 authors of 2',
      'unlink 1 2 keeps [5 6]',
      'insert authors #4 {name: Gus, team: #1.id}',
      'link 1 authors 5→2 6→2',
      'update authors 6 {name: Faye}',
    ]);
  });

  it('null unlinks all', () => {
    expect(update('teams', [1], { members: null })).toEqual(['update teams 1 {}', 'list 1 authors of 1', 'unlink 1 1 keeps []']);
  });

  it('detailed form: reads only the items it names', () => {
    expect(update('teams', [1], { members: { create: [{ name: 'Jon' }], update: [{ id: 4, name: 'D' }], delete: [500] } })).toEqual([
      'update teams 1 {}',
      'list 1 authors of keys 500 4',
      'unlink 1 1 loses [500]',
      'insert authors #2 {name: Jon, team: #1.id}',
      'link 1 authors 4→1',
      'update authors 4 {name: D}',
    ]);
  });

  it('detailed form: an empty object changes nothing', () => {
    expect(update('teams', [1], { members: {} })).toEqual(['update teams 1 {}']);
  });

  it('new blocks of the detailed form go to the end of the list', () => {
    expect(
      update('pages', [1], {
        blocks: {
          create: [
            { collection: 'teams', item: { name: 'T' } },
            { collection: 'teams', item: '4', sort: 9 },
          ],
        },
      }),
    ).toEqual([
      'update pages 1 {}',
      'last 1 blocks.sort of 1',
      'insert teams #2 {name: T}',
      'check-links teams.id 4',
      'insert blocks #3 {collection: teams, item: #2.id, page: #1.id, sort: last of #1 + 1} #4 {collection: teams, item: 4, sort: 9, page: #1.id}',
    ]);
  });

  it('many-to-many goes through the junction', () => {
    expect(create('articles', { title: 'T', tags: [{ tag: 1 }, { tag: { name: 'new' } }] })).toEqual([
      `insert articles #1 {title: T, made: ${stamp}}`,
      'insert tags #2 {name: new}',
      'insert articles_tags #3 {tag: 1, article: #1.id} #4 {tag: #2.id, article: #1.id}',
    ]);
  });

  it('the number of steps does not depend on the number of items', () => {
    const payload = (index: number): unknown => ({
      name: `t${index}`,
      members: [{ name: 'a', articles: [{ title: 'x' }] }, { name: 'b' }],
    });
    const steps = (count: number): number => create('teams', ...Array.from({ length: count }, (_, index) => payload(index))).length;
    expect(steps(1000)).toBe(3);
    expect(steps(1)).toBe(3);
  });
});

describe('planWrite: several items', () => {
  it('a batch that names one item twice runs in rounds', () => {
    const context = adminContext();
    const batch = bindBatch(context, 'teams', [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
      { id: 1, name: 'c' },
    ]);
    expect(printPlan(planWrite(context, batch))).toEqual(['update teams 1 {name: a} 2 {name: b}', 'update teams 1 {name: c}']);
  });

  it('an upsert finds by a unique key and decides when it runs', () => {
    const context = adminContext();
    expect(printPlan(planWrite(context, bindUpsert(context, 'tags', [{ name: 'red' }], ['name'])))).toEqual([
      'find tags name=red',
      'insert tags #1 if missing {name: red}',
      'update tags #1 if found {name: red}',
    ]);
  });

  it('composite keys come as lists or as one text', () => {
    expect(update('lines', ['1,2', [1, 3]], { text: 'x' })).toEqual(['update lines 1,2 {text: x} 1,3 {text: x}']);
  });

  it('a delete is one step', () => {
    const context = adminContext();
    expect(printPlan(planDelete(context, bindDelete(context, 'teams', [1, '2', 2])))).toEqual(['delete teams 1 2']);
  });
});

describe('planWrite: guards', () => {
  const owned = { status: { _eq: 'draft' } };

  it('an update carries the rule of the caller', () => {
    const context = contextWith([{ collection: 'articles', action: 'update', rule: owned }]);
    expect(update('articles', [1], { title: 'x' }, context)).toEqual([
      `update articles 1 {title: x, changed: ${stamp}} where (status _eq draft)`,
    ]);
  });

  it('a field that only one policy grants needs that policy to hold for the item', () => {
    const context = contextWith([
      { collection: 'articles', action: 'update', fields: ['title'] },
      { collection: 'articles', action: 'update', rule: owned },
    ]);
    expect(update('articles', [1], { title: 'x' }, context)[0]).not.toContain('where');
    expect(update('articles', [1], { status: 'published' }, context)[0]).toContain('where (status _eq draft)');
  });

  it('a link is checked against what the caller may read', () => {
    const context = contextWith([
      { collection: 'articles', action: 'update' },
      { collection: 'authors', action: 'read', rule: { name: { _eq: 'Ann' } } },
    ]);
    expect(update('articles', [1], { author: 5 }, context)[0]).toBe('check-links authors.id 5 where (name _eq Ann)');
  });

  it('linking and unlinking children needs the right to update them', () => {
    const context = contextWith([
      { collection: 'teams', action: 'update' },
      { collection: 'authors', action: 'read' },
    ]);
    expect(update('teams', [1], { members: [4] }, context)).toEqual([
      'update teams 1 {}',
      'list 1 authors of 1',
      'unlink 1 1 keeps [4] where nothing',
      'link 1 authors 4→1 where nothing',
    ]);
  });

  it('presets fill what was not sent, and their links are not checked', () => {
    const context = contextWith([{ collection: 'articles', action: 'create', fields: ['title'], presets: { status: 'draft', author: 9 } }]);
    expect(printPlan(planWrite(context, bindCreate(context, 'articles', [{ title: 'x' }])))).toEqual([
      `insert articles #1 {status: draft, author: 9, title: x, made: ${stamp}}`,
    ]);
  });

  it('special fields record who wrote', () => {
    const context = contextWith([{ collection: 'stamps', action: 'create' }]);
    expect(printPlan(planWrite(context, bindCreate(context, 'stamps', [{ name: 'x', maker: null }])))).toEqual([
      `insert stamps #1 {name: x, maker: ${someUuid}, id: ${someUuid}}`,
    ]);
  });
});
