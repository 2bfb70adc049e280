import { describe, expect, it } from 'vitest';
import { printPlan } from '../../../../test/fixtures/print-change-set.js';
import { structureState } from '../../../../test/fixtures/structure-state.js';
import { planCreateField } from './plan-create-field.js';
import { planDeleteField } from './plan-delete-field.js';
import { planUpdateField } from './plan-update-field.js';

const state = structureState([
  { id: 1, collection: 'articles', action: 'read', permissions: { status: { _eq: 'published' } }, fields: '*' },
  { id: 2, collection: 'articles', action: 'create', fields: 'title,status', presets: { status: 'draft' } },
]);

const forbiddenField = (field: string, collection: string): string =>
  `refused: You don't have permission to access field "${field}" in collection "${collection}" or it does not exist.`;
const forbiddenCollection = (collection: string): string =>
  `refused: You don't have permission to access collection "${collection}" or it does not exist.`;

describe('the plan of a new field', () => {
  it.each<[object, readonly string[]]>([
    [{ field: 'subtitle', type: 'string' }, ['add column articles.subtitle string(255)']],
    [
      { field: 'lead', type: 'text', schema: { is_nullable: false, default_value: '-', comment: 'c' }, meta: { note: 'n', group: 'g' } },
      [
        'add column articles.lead text not null default "-" comment c',
        'insert service_fields sort=1 note=n group=g column_comment=c collection=articles field=lead',
      ],
    ],
    [
      { field: 'editor', type: 'integer', schema: { foreign_key_table: 'authors' }, meta: {} },
      [
        'add column articles.editor integer',
        'add to articles foreign key articles_editor_foreign (editor) → authors (id)',
        'insert service_fields sort=1 collection=articles field=editor',
      ],
    ],
    [
      { field: 'twice', type: 'integer', schema: { is_generated: true, generation_expression: 'id * 2' } },
      ['add column articles.twice integer generated (id * 2)'],
    ],
    [
      { field: 'slug', type: 'string', schema: { is_unique: true, is_indexed: true, max_length: '80' } },
      ['add column articles.slug string(80) unique indexed'],
    ],
    [
      { field: 'price', type: 'decimal', schema: { default_value: 1, default_expression: null } },
      ['add column articles.price decimal(10,5) default "1"'],
    ],
    [
      { field: 'random', type: 'integer', schema: { default_expression: 'abs(-1)' } },
      ['add column articles.random integer default (abs(-1))'],
    ],
    // Types that SQLite cannot tell from a text are recorded in a flag.
    [
      { field: 'secret', type: 'hash' },
      ['add column articles.secret hash(255)', 'insert service_fields special=hash sort=1 collection=articles field=secret'],
    ],
    [{ field: 'note', type: 'presentation' }, ['insert service_fields special=presentation sort=1 collection=articles field=note']],
    [
      { field: 'links', type: 'alias', meta: { special: 'o2m' } },
      ['insert service_fields special=o2m sort=1 collection=articles field=links'],
    ],
  ])('%j', (payload, lines) => {
    expect(printPlan(state, planCreateField('articles', payload))).toEqual(lines);
  });

  it.each<[object, string]>([
    [{ type: 'string' }, '"field" is required and must be text.'],
    [{ field: 'x' }, '"type" is required and must be text.'],
    [{ field: 'x', type: 'strange' }, '"strange" is not a type of a field.'],
    [{ field: 'Title', type: 'string' }, 'Field "Title" already exists in collection "articles".'],
    [{ field: 'x', type: 'string', collection: 'tags' }, 'The field "x" names another collection.'],
    [{ field: 'x', type: 'integer', schema: { is_primary_key: true } }, 'Collection "articles" has a primary key already.'],
    [
      { field: 'x', type: 'string', schema: { foreign_key_table: 'authors' } },
      'Field "x" of type "string" cannot point at a key of type "integer".',
    ],
    [{ field: 'x', type: 'integer', schema: { foreign_key_table: 'nowhere' } }, 'schema.foreign_key_table names no table: "nowhere".'],
    [
      { field: 'x', type: 'string', schema: { foreign_key_table: 'authors', foreign_key_column: 'name' } },
      'Nothing can point at "name" of "authors": it is neither a primary key nor unique.',
    ],
    [{ field: 'x', type: 'alias', schema: { is_nullable: true } }, 'The alias field "x" has no column, so it takes no schema.'],
    [{ field: 'x', type: 'integer', schema: { max_length: 3 } }, 'Field "x" of type "integer" has no max_length.'],
    [{ field: 'x', type: 'string', schema: { max_length: 0 } }, 'schema.max_length must be a whole number from 1 to 16383, or null.'],
    [{ field: 'x', type: 'integer', schema: { default_value: 'many' } }, 'The default value of field "x" has to be a whole number.'],
    [
      { field: 'x', type: 'integer', schema: { is_generated: true } },
      'schema.is_generated and schema.generation_expression belong together.',
    ],
    [
      { field: 'x', type: 'integer', schema: { is_generated: true, generation_expression: '1; drop table x' } },
      'An expression must be one complete SQL expression without comments, escapes and semicolons.',
    ],
    [{ field: 'x', type: 'string', schema: { data_type: 'varchar' } }, 'schema.data_type cannot be chosen or changed.'],
    [
      { field: 'x', type: 'integer', schema: { has_auto_increment: true, is_primary_key: false } },
      'Field "x" cannot auto-increment: only a primary key of type integer or bigInteger can.',
    ],
    [
      { field: 'x', type: 'decimal', schema: { numeric_precision: 2, numeric_scale: 5 } },
      'The scale of field "x" is greater than its precision.',
    ],
    [{ field: 'x', type: 'string', meta: { width: 'wide' } }, 'meta.width has a value of the wrong kind.'],
  ])('%j is refused', (payload, message) => {
    expect(printPlan(state, planCreateField('articles', payload))).toEqual([`refused: Invalid payload. ${message}`]);
  });

  it.each(['summaries', 'archive', 'nothing'])('of %s, which has no table, is forbidden', (collection) => {
    expect(printPlan(state, planCreateField(collection, { field: 'x', type: 'string' }))).toEqual([forbiddenCollection(collection)]);
  });

  it('follows the fields that earlier planners made', () => {
    const planners = ['a', 'b'].map((field) => planCreateField('tags', { field, type: 'string', meta: { group: 'g' } }));
    expect(printPlan(state, ...planners)).toEqual([
      'add column tags.a string(255)',
      'add column tags.b string(255)',
      'insert service_fields sort=1 group=g collection=tags field=a',
      'insert service_fields sort=2 group=g collection=tags field=b',
    ]);
    const twice = planCreateField('tags', { field: 'a', type: 'string' });
    expect(printPlan(state, twice, twice)).toEqual(['refused: Invalid payload. Field "a" already exists in collection "tags".']);
  });

  it('keeps its comment in the column where the database stores comments', () => {
    const { ddl } = state;
    const commenting = structureState([], { ddl: { ...ddl, keepsComments: true } });
    const planner = planCreateField('tags', { field: 'a', type: 'string', schema: { comment: 'c' } });
    expect(printPlan(commenting, planner)).toEqual(['add column tags.a string(255) comment c']);
  });
});

describe('the plan of a changed field', () => {
  it.each<[string, object, readonly string[]]>([
    ['articles.title', { type: 'text' }, ['alter column articles.title text not null']],
    ['articles.title', { schema: { max_length: 80 } }, ['alter column articles.title string(80) not null']],
    [
      'articles.title',
      { schema: { is_nullable: true, is_unique: true, is_indexed: true, default_value: 'x' } },
      ['alter column articles.title string unique indexed default "x"'],
    ],
    [
      'articles.title',
      { type: 'csv' },
      ['alter column articles.title csv not null', 'insert service_fields special=cast-csv sort=1 collection=articles field=title'],
    ],
    ['articles.made', { type: 'dateTime' }, ['alter column articles.made dateTime']],
    [
      'articles.shout',
      { schema: { generation_expression: 'upper(title)' } },
      ['alter column articles.shout string generated (upper(title))'],
    ],
    ['articles.title', { meta: { note: 'n' } }, ['insert service_fields sort=1 note=n collection=articles field=title']],
    ['articles.status', { meta: { note: 'n' } }, ['update service_fields set note=n where collection=articles field=status']],
    [
      'articles.status',
      { meta: { special: ['cast-csv'] } },
      ['update service_fields set special=cast-csv where collection=articles field=status'],
    ],
    // What history holds of a field that becomes secret is concealed with it.
    [
      'articles.status',
      { meta: { special: ['conceal'] } },
      [
        'update service_fields set special=conceal where collection=articles field=status',
        'conceal status of service_revisions.data,delta,previous as ********** where collection=articles',
        'conceal status of service_versions.delta,authors,base as null where collection=articles',
      ],
    ],
    ['articles.title', { schema: { comment: 'c' } }, ['insert service_fields sort=1 column_comment=c collection=articles field=title']],
    [
      'articles.author',
      { schema: { foreign_key_table: null } },
      ['drop from articles foreign key (author) → authors (id) on delete SET NULL'],
    ],
    [
      'articles.author',
      { schema: { foreign_key_table: 'teams' } },
      [
        'drop from articles foreign key (author) → authors (id) on delete SET NULL',
        'add to articles foreign key articles_author_foreign (author) → teams (id) on delete SET NULL',
      ],
    ],
    ['articles.comments', { meta: { note: 'n' } }, ['update service_fields set note=n where collection=articles field=comments']],
    // An alias that a foreign key implies: its relation is stored with it.
    [
      'lines.parcels',
      { meta: { note: 'n' } },
      [
        'insert service_relations many_collection=parcels many_field=order_line_place_line one_collection=lines one_field=parcels',
        'insert service_fields special=o2m sort=1 note=n collection=lines field=parcels',
      ],
    ],
    ['service_users.email', { schema: { is_indexed: true } }, ['alter column service_users.email string indexed']],
  ])('%s %j', (path, payload, lines) => {
    const [collection = '', field = ''] = path.split('.');
    expect(printPlan(state, planUpdateField(collection, field, payload))).toEqual(lines);
  });

  it.each<[string, object]>([
    ['articles.title', {}],
    ['articles.title', { field: 'title', collection: 'articles', type: 'string', schema: { name: 'title', is_nullable: false } }],
    ['articles.author', { schema: { foreign_key_table: 'authors', foreign_key_column: 'id' } }],
    ['service_users.email', { type: 'string', meta: {} }],
  ])('%s %j is empty: nothing differs', (path, payload) => {
    const [collection = '', field = ''] = path.split('.');
    expect(printPlan(state, planUpdateField(collection, field, payload))).toEqual([]);
  });

  const belongs = 'Field "email" in collection "service_users" belongs to the service: only schema.is_indexed can be changed.';
  it.each<[string, object, string]>([
    ['articles.title', { field: 'headline' }, 'A field cannot be renamed.'],
    ['articles.title', { collection: 'x' }, 'A field cannot be moved.'],
    ['articles.title', { type: 'alias' }, 'Field "title" has a column and cannot become of type "alias".'],
    ['articles.title', { schema: { is_primary_key: true } }, 'Collection "articles" has a primary key already.'],
    ['articles.author', { type: 'string' }, 'Field "author" of type "string" cannot point at a key of type "integer".'],
    ['articles.id', { schema: { is_nullable: true } }, 'Field "id" is the primary key and cannot be nullable.'],
    ['articles.comments', { type: 'string' }, 'An alias has no column and stays an alias.'],
    ['articles.comments', { schema: { is_nullable: true } }, 'The alias field "comments" takes no schema: it has no column.'],
    ['articles.title', { meta: { wrong: 1 } }, '"wrong" is not known in meta.'],
    ['articles.title', { wrong: 1 }, '"wrong" is not known in a field.'],
    ['service_users.email', { meta: { note: 'x' } }, belongs],
    ['service_users.email', { type: 'text' }, belongs],
  ])('%s %j is refused', (path, payload, message) => {
    const [collection = '', field = ''] = path.split('.');
    expect(printPlan(state, planUpdateField(collection, field, payload))).toEqual([`refused: Invalid payload. ${message}`]);
  });

  it('is forbidden where there is no such field, or no table', () => {
    expect(printPlan(state, planUpdateField('articles', 'nothing', {}))).toEqual([forbiddenField('nothing', 'articles')]);
    expect(printPlan(state, planUpdateField('summaries', 'title', {}))).toEqual([forbiddenCollection('summaries')]);
  });
});

describe('the plan of a deleted field', () => {
  /** The metadata row of the field, and the fields grouped under it. */
  const rowsOf = (collection: string, field: string): readonly string[] => [
    `delete service_fields where collection=${collection} field=${field}`,
    `update service_fields set group=null where collection=${collection} group=${field}`,
  ];

  it.each<[string, readonly string[], readonly string[]]>([
    [
      'articles.status',
      ['drop column articles.status'],
      [
        'update service_collections set archive_field=null item_duplication_fields=["title"] where collection=articles',
        'delete service_permissions where id=1',
        'update service_permissions set fields=title presets={} where id=2',
      ],
    ],
    [
      'articles.author',
      ['drop from articles foreign key (author) → authors (id) on delete SET NULL', 'drop column articles.author'],
      [
        'delete service_relations where many_collection=articles many_field=author',
        'delete service_fields where collection=authors field=articles',
      ],
    ],
    ['articles.comments', [], ['update service_relations set one_field=null where one_collection=articles one_field=comments']],
    ['blocks.collection', ['drop column blocks.collection'], ['delete service_relations where many_collection=blocks many_field=item']],
    [
      'blocks.item',
      ['drop column blocks.item'],
      [
        'update service_relations set junction_field=null where many_collection=blocks many_field=page',
        'delete service_relations where many_collection=blocks many_field=item',
      ],
    ],
    [
      'blocks.sort',
      ['drop column blocks.sort'],
      ['update service_relations set sort_field=null where many_collection=blocks many_field=page'],
    ],
    [
      'parcels.order_line',
      ['drop from parcels foreign key (order_line, place_line) → lines (order, place)', 'drop column parcels.order_line'],
      [],
    ],
    ['parcels.order_line_place_line', ['drop from parcels foreign key (order_line, place_line) → lines (order, place)'], []],
    [
      'lines.parcels',
      [],
      [
        'update service_relations set one_field=null where one_collection=lines one_field=parcels',
        'insert service_relations many_collection=parcels many_field=order_line_place_line one_collection=lines',
      ],
    ],
  ])('%s', (path, changes, rows) => {
    const [collection = '', field = ''] = path.split('.');
    expect(printPlan(state, planDeleteField(collection, field))).toEqual([...changes, ...rowsOf(collection, field), ...rows]);
  });

  it('is refused for a primary key, and forbidden for fields of the service and unknown ones', () => {
    expect(printPlan(state, planDeleteField('articles', 'id'))).toEqual([
      'refused: Invalid payload. Field "id" is the primary key of its collection and cannot be deleted.',
    ]);
    expect(printPlan(state, planDeleteField('service_users', 'email'))).toEqual([forbiddenField('email', 'service_users')]);
    expect(printPlan(state, planDeleteField('articles', 'nothing'))).toEqual([forbiddenField('nothing', 'articles')]);
  });
});
