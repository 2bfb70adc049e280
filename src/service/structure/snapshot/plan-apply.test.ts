import { describe, expect, it } from 'vitest';
import { printPlan } from '../../../../test/fixtures/print-change-set.js';
import { structureState } from '../../../../test/fixtures/structure-state.js';
import type { Payload } from '../describe/payload.js';
import { applyDiff, diffSnapshot } from '../migrate-structure.js';
import { snapshotDocument } from './select-collections.js';
import { type Snapshot, takeSnapshot } from './snapshot.js';

const state = structureState();
const present = takeSnapshot(state.schema, state.system.definitions);

/** The plan that makes the edited snapshot true; edits get a copy of the present one. */
function planOf(edit: (snapshot: Snapshot) => Snapshot, mode: 'mirror' | 'merge' = 'mirror'): readonly string[] {
  const wanted = snapshotDocument(edit(structuredClone(present)));
  const diff = diffSnapshot(present, wanted, mode, (name) => name);
  return diff === null ? [] : printPlan(state, ...applyDiff(diff, { force: false, lossy: true }).planners);
}

const without =
  (collection: string, field: string | null = null) =>
  (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    collections: snapshot.collections.filter((entry) => field !== null || entry.collection !== collection),
    fields: snapshot.fields.filter((entry) => !(entry.collection === collection && (field === null || entry.field === field))),
    relations: snapshot.relations.filter((entry) => !(entry.collection === collection && (field === null || entry.field === field))),
  });

const change =
  <T extends 'collections' | 'fields' | 'relations'>(
    kind: T,
    isMeant: (entry: Snapshot[T][number]) => boolean,
    edit: (entry: Snapshot[T][number]) => object,
  ) =>
  (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    [kind]: snapshot[kind].map((entry) => (isMeant(entry) ? { ...entry, ...edit(entry) } : entry)),
  });

describe('applying a snapshot', () => {
  it('that equals the structure plans nothing', () => {
    expect(planOf((snapshot) => snapshot)).toEqual([]);
  });

  it('creates a collection with its keys, indexes and fields before its relations', () => {
    const column = (field: string, type: string, schema: Payload = {}) => ({ collection: 'boxes', field, type, schema, meta: null });
    const lines = planOf((snapshot) => ({
      ...snapshot,
      collections: [
        ...snapshot.collections,
        {
          collection: 'boxes',
          meta: { note: 'n' },
          schema: {
            primary_key: ['order', 'place'],
            uniques: [['label', 'team']],
            indexes: [['team', 'label']],
            foreign_keys: [
              {
                columns: ['order', 'place'],
                foreign_key_table: 'lines',
                foreign_key_columns: ['order', 'place'],
                on_delete: 'CASCADE',
                on_update: 'NO ACTION',
              },
            ],
          },
        },
      ],
      fields: [
        ...snapshot.fields,
        column('order', 'integer', { is_primary_key: true, is_nullable: false }),
        column('place', 'integer', { is_primary_key: true, is_nullable: false }),
        column('label', 'string', { max_length: 20 }),
        // A type that only the vendor of the snapshot has.
        column('region', 'unknown', { data_type: 'tsvector', default_value: 'x' }),
        column('team', 'integer', { foreign_key_table: 'teams' }),
      ],
      relations: [
        ...snapshot.relations,
        {
          collection: 'boxes',
          field: 'team',
          related_collection: 'teams',
          schema: { on_delete: 'SET NULL', on_update: 'NO ACTION' },
          meta: { one_field: 'boxes', sort_field: 'place' },
        },
      ],
    }));
    expect(lines).toEqual([
      'create table boxes, key order, place',
      '  order integer primary key',
      '  place integer primary key',
      '  label string(20)',
      '  region text',
      '  team integer',
      '  unique label, team',
      'create index boxes_team_label_index on boxes (team, label)',
      'add to boxes foreign key boxes_order_place_foreign (order, place) → lines (order, place) on delete CASCADE',
      'add to boxes foreign key boxes_team_foreign (team) → teams (id) on delete SET NULL',
      'insert service_collections note=n collection=boxes',
      'insert service_relations one_field=boxes sort_field=place many_collection=boxes many_field=team one_collection=teams',
    ]);
  });

  it('creates a folder', () => {
    const folder = { collection: 'shelf', meta: { note: 'f' }, schema: null };
    expect(planOf((snapshot) => ({ ...snapshot, collections: [...snapshot.collections, folder] }))).toEqual([
      'insert service_collections note=f collection=shelf',
    ]);
  });

  it('deletes what it does not have, relations first; merging keeps it', () => {
    const edit = without('comments', 'article');
    expect(planOf(edit)).toEqual([
      'drop from comments foreign key (article) → articles (id) on delete SET NULL',
      'drop column comments.article',
      'delete service_relations where many_collection=comments many_field=article',
      'delete service_fields where collection=comments field=article',
      'update service_fields set group=null where collection=comments group=article',
    ]);
    expect(planOf(edit, 'merge')).toEqual([]);
    expect(planOf(without('stamps')).filter((line) => line.startsWith('drop'))).toEqual(['drop table stamps']);
  });

  it('edits collections, fields and relations', () => {
    expect(
      planOf(
        change(
          'collections',
          ({ collection }) => collection === 'articles',
          ({ meta }) => ({ meta: { ...meta, note: 'x' } }),
        ),
      ),
    ).toEqual(['update service_collections set note=x where collection=articles']);
    const isTitle = (entry: { readonly collection: string; readonly field: string }) =>
      entry.collection === 'articles' && entry.field === 'title';
    const edited = change('fields', isTitle, ({ schema }) => ({
      type: 'text',
      schema: { ...schema, is_nullable: true },
      meta: { note: 'n' },
    }));
    expect(planOf(edited)).toEqual([
      'alter column articles.title text',
      'insert service_fields sort=1 note=n collection=articles field=title',
    ]);
    const isAuthor = (entry: { readonly collection: string; readonly field: string }) =>
      entry.collection === 'articles' && entry.field === 'author';
    expect(planOf(change('relations', isAuthor, ({ schema }) => ({ schema: { ...schema, on_delete: 'CASCADE' } })))).toEqual([
      'drop from articles foreign key (author) → authors (id) on delete SET NULL',
      'add to articles foreign key articles_author_foreign (author) → authors (id) on delete CASCADE',
    ]);
  });

  it('exchanges indexes and foreign keys over several columns', () => {
    const isParcels = ({ collection }: { readonly collection: string }) => collection === 'parcels';
    const keys = { indexes: [['label', 'order_line']], uniques: [['order_line', 'label']], foreign_keys: [] };
    expect(planOf(change('collections', isParcels, ({ schema }) => ({ schema: { ...schema, ...keys } })))).toEqual([
      'drop from parcels foreign key (order_line, place_line) → lines (order, place)',
      'create unique index parcels_order_line_label_unique on parcels (order_line, label)',
      'drop index parcels_lines on parcels',
      'create index parcels_label_order_line_index on parcels (label, order_line)',
    ]);
  });

  it('stores the metadata of a relation over several columns', () => {
    const relation = {
      collection: 'parcels',
      field: 'order_line_place_line',
      related_collection: 'lines',
      schema: null,
      meta: { one_field: 'boxes' },
    };
    expect(planOf((snapshot) => ({ ...snapshot, relations: [...snapshot.relations, relation] }))).toEqual([
      'insert service_relations one_field=boxes many_collection=parcels many_field=order_line_place_line one_collection=lines',
    ]);
  });

  it.each<[string, (snapshot: Snapshot) => Snapshot, string]>([
    [
      'another primary key',
      change(
        'collections',
        ({ collection }) => collection === 'tags',
        ({ schema }) => ({ schema: { ...schema, primary_key: ['name'] } }),
      ),
      'Of collection "tags" only meta and indexes can be changed.',
    ],
    [
      'a foreign key with fewer columns than it points at',
      change(
        'collections',
        ({ collection }) => collection === 'parcels',
        ({ schema }) => ({
          schema: {
            ...schema,
            foreign_keys: [{ columns: ['order_line'], foreign_key_table: 'lines', foreign_key_columns: ['order', 'place'] }],
          },
        }),
      ),
      'A foreign key of "parcels" must have as many columns as it points at.',
    ],
    [
      'a folder in the place of a table',
      change(
        'collections',
        ({ collection }) => collection === 'tags',
        () => ({ schema: null }),
      ),
      '"schema" must be an object.',
    ],
  ])('refuses %s', (_name, edit, message) => {
    expect(planOf(edit)).toEqual([`refused: Invalid payload. ${message}`]);
  });

  it('refuses to point a relation to another collection', () => {
    const moved = change(
      'relations',
      ({ field }) => field === 'team',
      () => ({ related_collection: 'tags' }),
    );
    expect(() => planOf(moved)).toThrow('The relation of "team" in "authors" points elsewhere: delete it first.');
  });

  it('refuses a diff made against another structure, unless forced', () => {
    const diff = {
      hash: 'other',
      diff: {
        collections: [{ collection: 'archive', diff: [{ kind: 'E', path: ['meta', 'note'], lhs: 'a folder', rhs: 'b' }] }],
        fields: [],
        relations: [],
      },
    };
    expect(printPlan(state, ...applyDiff(diff, { force: false, lossy: false }).planners)).toEqual([
      'refused: Invalid payload. The structure has changed since the diff was made: make a new one.',
    ]);
    expect(printPlan(state, ...applyDiff(diff, { force: true, lossy: false }).planners)).toEqual([
      'update service_collections set note=b where collection=archive',
    ]);
  });

  it('refuses to lose data, unless allowed', () => {
    const diff = diffSnapshot(present, snapshotDocument(without('stamps')(structuredClone(present))), 'mirror', (name) => name);
    expect(() => applyDiff(diff, { force: false, lossy: false })).toThrow(
      'Data may be lost, which has to be allowed with lossy=true: collection "stamps" is deleted.',
    );
    // Clients that know no such parameter send the diff, which names the deletion.
    expect(printPlan(state, ...applyDiff(diff, { force: false, lossy: null }).planners)[0]).toBe('drop table stamps');
  });
});
