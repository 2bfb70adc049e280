import { describe, expect, it } from 'vitest';
import { printPlan } from '../../../../test/fixtures/print-change-set.js';
import { structureState } from '../../../../test/fixtures/structure-state.js';
import { planCreateRelation, planDeleteRelation, planUpdateRelation } from './plan-relation.js';

const state = structureState();

const forbidden = (field: string, collection: string): string =>
  `refused: You don't have permission to access field "${field}" in collection "${collection}" or it does not exist.`;

describe('the plan of a new relation', () => {
  it.each<[string, object, readonly string[]]>([
    [
      'many-to-one without metadata',
      { collection: 'articles', field: 'shout', related_collection: 'countries' },
      ['add to articles foreign key articles_shout_foreign (shout) → countries (code)'],
    ],
    [
      'with its other side, one-to-many',
      {
        collection: 'blocks',
        field: 'sort',
        related_collection: 'pages',
        schema: { on_delete: 'CASCADE' },
        meta: { one_field: 'sorted', one_deselect_action: 'delete' },
      },
      [
        'add to blocks foreign key blocks_sort_foreign (sort) → pages (id) on delete CASCADE',
        'insert service_relations one_field=sorted one_deselect_action=delete many_collection=blocks many_field=sort one_collection=pages',
      ],
    ],
    [
      'without a foreign key',
      { collection: 'lines', field: 'place', related_collection: 'teams', schema: null, meta: { one_field: 'lines' } },
      ['insert service_relations one_field=lines many_collection=lines many_field=place one_collection=teams'],
    ],
    [
      'many-to-any',
      {
        collection: 'comments',
        field: 'text',
        related_collection: null,
        meta: { one_collection_field: 'text', one_allowed_collections: ['teams', 'tags'] },
      },
      [
        'insert service_relations one_collection_field=text one_allowed_collections=teams,tags many_collection=comments many_field=text one_collection=null',
      ],
    ],
  ])('%s', (_name, payload, lines) => {
    expect(printPlan(state, planCreateRelation(payload))).toEqual(lines);
  });

  it('takes the name of an alias that the new foreign key renames', () => {
    const [first, second] = [
      planCreateRelation({ collection: 'parcels', field: 'order_line', related_collection: 'teams' }),
      planCreateRelation({ collection: 'parcels', field: 'place_line', related_collection: 'teams', meta: { one_field: 'parcels' } }),
    ];
    expect(printPlan(state, first, second)).toEqual([
      'add to parcels foreign key parcels_order_line_foreign (order_line) → teams (id)',
      'add to parcels foreign key parcels_place_line_foreign (place_line) → teams (id)',
      'insert service_relations one_field=parcels many_collection=parcels many_field=place_line one_collection=teams',
    ]);
  });

  const sort = { collection: 'blocks', field: 'sort' };
  const text = { collection: 'comments', field: 'text' };
  it.each<[object, string]>([
    [{ collection: 'nothing', field: 'x' }, 'Collection "nothing" does not exist.'],
    [{ collection: 'summaries', field: 'title' }, 'Collection "summaries" does not exist.'],
    [{ collection: 'blocks', field: 'nothing' }, 'Field "nothing" does not exist in collection "blocks".'],
    [{ collection: 'comments', field: 'id', related_collection: 'teams' }, 'Field "id" is the primary key and cannot hold a relation.'],
    [{ collection: 'comments', field: 'article', related_collection: 'teams' }, 'Field "article" has a relation already.'],
    [{ ...text, related_collection: 'teams' }, 'Field "text" of type "string" cannot point at a key of type "integer".'],
    [{ ...sort, related_collection: 'nothing' }, 'The related collection "nothing" does not exist.'],
    [{ ...sort, related_collection: 'lines' }, 'Collection "lines" has no primary key of one field to point at.'],
    [{ ...sort, related_collection: 'pages', schema: null }, 'A relation without a foreign key needs meta.'],
    [
      { ...sort, related_collection: 'pages', schema: { on_delete: 'NEVER' } },
      'schema.on_delete must be one of NO ACTION, RESTRICT, CASCADE, SET NULL, SET DEFAULT.',
    ],
    [
      { collection: 'lines', field: 'place', related_collection: 'teams', schema: { on_delete: 'SET NULL' } },
      'Field "place" cannot be set to null: it is not nullable.',
    ],
    [{ ...sort, related_collection: 'teams', meta: { one_field: 'members' } }, 'meta.one_field is taken: "teams" has a field "members".'],
    [{ ...sort, related_collection: 'teams', meta: { sort_field: 'x' } }, 'meta.sort_field names no field of "blocks": "x".'],
    [{ ...text, related_collection: null }, 'A relation without a foreign key needs meta.'],
    [
      { ...text, related_collection: null, meta: {} },
      'A relation to any collection needs meta.one_collection_field and meta.one_allowed_collections.',
    ],
    [
      { ...text, related_collection: null, meta: { one_collection_field: 'text', one_allowed_collections: ['nothing'] } },
      'meta.one_allowed_collections names no collection: "nothing".',
    ],
    [{ ...sort, wrong: 1 }, '"wrong" is not known in a relation.'],
  ])('%j is refused', (payload, message) => {
    expect(printPlan(state, planCreateRelation(payload))).toEqual([`refused: Invalid payload. ${message}`]);
  });
});

describe('the plan of a changed relation', () => {
  it.each<[string, string, object, readonly string[]]>([
    [
      'articles',
      'author',
      { schema: { on_delete: 'CASCADE' } },
      [
        'drop from articles foreign key (author) → authors (id) on delete SET NULL',
        'add to articles foreign key articles_author_foreign (author) → authors (id) on delete CASCADE',
      ],
    ],
    ['articles', 'author', { schema: null }, ['drop from articles foreign key (author) → authors (id) on delete SET NULL']],
    [
      'articles',
      'author',
      { meta: { one_field: 'texts' } },
      ['update service_relations set one_field=texts where many_collection=articles many_field=author'],
    ],
    ['articles', 'author', { schema: { on_delete: 'SET NULL' }, meta: { one_field: 'articles' } }, []],
    // A relation that only its foreign key states gets a metadata row.
    [
      'articles_tags',
      'tag',
      { meta: { one_field: 'articles' } },
      ['insert service_relations one_field=articles many_collection=articles_tags many_field=tag one_collection=tags'],
    ],
    [
      'blocks',
      'item',
      { schema: { on_delete: 'CASCADE' }, meta: { one_allowed_collections: ['teams', 'tags'] } },
      ['update service_relations set one_allowed_collections=teams,tags where many_collection=blocks many_field=item'],
    ],
    // The field of a composite foreign key.
    [
      'parcels',
      'order_line_place_line',
      { schema: { on_delete: 'CASCADE' }, meta: { one_field: 'boxes' } },
      [
        'drop from parcels foreign key (order_line, place_line) → lines (order, place)',
        'add to parcels foreign key parcels_order_line_place_line_foreign (order_line, place_line) → lines (order, place) on delete CASCADE',
        'insert service_relations one_field=boxes many_collection=parcels many_field=order_line_place_line one_collection=lines',
      ],
    ],
  ])('%s.%s %j', (collection, field, payload, lines) => {
    expect(printPlan(state, planUpdateRelation(collection, field, payload))).toEqual(lines);
  });

  it.each<[object, string]>([
    [{ related_collection: 'teams' }, '"related_collection" of a relation cannot be changed.'],
    [{ schema: { constraint_name: 'x' } }, 'schema.constraint_name cannot be changed.'],
    [{ schema: { on_delete: 'x' } }, 'schema.on_delete must be one of NO ACTION, RESTRICT, CASCADE, SET NULL, SET DEFAULT.'],
    [{ meta: { many_field: 'x' } }, 'meta.many_field cannot be chosen or changed.'],
    [{ meta: { one_field: 'name' } }, 'meta.one_field is taken: "authors" has a field "name".'],
    [{ meta: { one_deselect_action: null } }, 'meta.one_deselect_action has a value of the wrong kind.'],
    [{ wrong: 1 }, '"wrong" is not known in a relation.'],
  ])('%j is refused', (payload, message) => {
    expect(printPlan(state, planUpdateRelation('articles', 'author', payload))).toEqual([`refused: Invalid payload. ${message}`]);
  });

  it('is forbidden where there is no relation', () => {
    expect(printPlan(state, planUpdateRelation('articles', 'title', {}))).toEqual([forbidden('title', 'articles')]);
  });
});

describe('the plan of a deleted relation', () => {
  it.each<[string, string, readonly string[]]>([
    ['articles', 'author', ['drop from articles foreign key (author) → authors (id) on delete SET NULL']],
    ['articles_tags', 'tag', ['drop from articles_tags foreign key (tag) → tags (id) on delete SET NULL']],
    ['blocks', 'item', []],
    ['parcels', 'order_line_place_line', ['drop from parcels foreign key (order_line, place_line) → lines (order, place)']],
  ])('%s.%s', (collection, field, changes) => {
    expect(printPlan(state, planDeleteRelation(collection, field))).toEqual([
      ...changes,
      `delete service_relations where many_collection=${collection} many_field=${field}`,
    ]);
  });

  it('is forbidden where there is no relation', () => {
    expect(printPlan(state, planDeleteRelation('articles', 'title'))).toEqual([forbidden('title', 'articles')]);
    expect(printPlan(state, planDeleteRelation('nothing', 'x'))).toEqual([forbidden('x', 'nothing')]);
  });
});
