// Structure through /graphql/system: what REST does with /collections, /fields, /relations and /schema, with the same answers.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { codeOf, makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

describeEachVendor('structure through graphql', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'graphql' });
  });
  afterAll(() => service.stop());

  const ask = async (query: string, variables?: unknown) => {
    const { body } = await service.api.graphql(query, variables, '/graphql/system');
    expect(body.errors).toBeUndefined();
    return body.data;
  };
  const rest = async (path: string) => (await service.api.get(path)).body.data;

  it('makes, changes and deletes collections', async () => {
    const made = await ask(
      `mutation($fields: [write_service_fields_input!]) {
        create_collections_item(data: {collection: "things", meta: {note: "n"}, schema: {}, fields: $fields}) { collection meta { note } schema { name } }
      }`,
      { fields: [{ field: 'name', type: 'string', schema: { max_length: 20, default_value: 'x' }, meta: { note: 'f' } }] },
    );
    expect(made.create_collections_item).toEqual({ collection: 'things', meta: { note: 'n' }, schema: { name: 'things' } });
    expect(await rest('/fields/things/name')).toMatchObject({
      type: 'string',
      schema: { max_length: 20, default_value: 'x' },
      meta: { note: 'f' },
    });
    const changed = await ask(
      'mutation { update_collections_item(collection: "things", data: {meta: {note: "m"}}) { meta { note hidden } } }',
    );
    expect(changed.update_collections_item.meta).toEqual({ note: 'm', hidden: false });
    const several = await ask(
      'mutation { update_collections_items(data: [{collection: "things", meta: {hidden: true}}]) { collection meta { hidden } } }',
    );
    expect(several.update_collections_items).toEqual([{ collection: 'things', meta: { hidden: true } }]);
    const gone = await ask('mutation { delete_collections_item(collection: "things") { collection } }');
    expect(gone.delete_collections_item).toEqual({ collection: 'things' });
    expect(codeOf(await service.api.get('/collections/things'))).toBe('403 FORBIDDEN');
  });

  it('makes, changes and deletes fields and relations, which the next request of both endpoints knows', async () => {
    const create = 'mutation($c: String!) { create_collections_item(data: {collection: $c, meta: {}, schema: {}}) { collection } }';
    for (const c of ['ones', 'manys']) await ask(create, { c });
    const made = await ask(
      'mutation { create_fields_item(collection: "manys", data: {field: "one", type: "integer", schema: {is_nullable: true}, meta: {}}) { field type schema { is_nullable } } }',
    );
    expect(made.create_fields_item).toEqual({ field: 'one', type: 'integer', schema: { is_nullable: true } });
    const related = await ask(
      'mutation { create_relations_item(data: {collection: "manys", field: "one", related_collection: "ones", schema: {on_delete: "CASCADE"}, meta: {one_field: "manys"}}) { schema { on_delete } meta { one_field } } }',
    );
    expect(related.create_relations_item).toEqual({ schema: { on_delete: 'CASCADE' }, meta: { one_field: 'manys' } });
    const { body } = await service.api.graphql('mutation { create_ones_item(data: {manys: [{}]}) { manys { one { id } } } }');
    expect(body.data.create_ones_item.manys).toEqual([{ one: { id: '1' } }]);
    const changed = await ask(
      'mutation { update_relations_item(collection: "manys", field: "one", data: {schema: {on_delete: "SET NULL"}}) { schema { on_delete } } }',
    );
    expect(changed.update_relations_item.schema.on_delete).toBe('SET NULL');
    const gone = await ask('mutation { delete_relations_item(collection: "manys", field: "one") { collection field } }');
    expect(gone.delete_relations_item).toEqual({ collection: 'manys', field: 'one' });
    const field = await ask(
      'mutation { update_fields_item(collection: "manys", field: "one", data: {type: "string", meta: {note: "n"}}) { type } }',
    );
    expect(field.update_fields_item.type).toBe('string');
    const several = await ask(
      'mutation { update_fields_items(collection: "manys", data: [{field: "one", schema: {is_indexed: true}}]) { field schema { is_indexed } } }',
    );
    expect(several.update_fields_items).toEqual([{ field: 'one', schema: { is_indexed: true } }]);
    expect(await ask('{ fields_by_name(collection: "manys", field: "one") { type schema { is_indexed } } }')).toEqual({
      fields_by_name: { type: 'string', schema: { is_indexed: true } },
    });
    await ask('mutation { delete_fields_item(collection: "manys", field: "one") { collection field } }');
    expect(codeOf(await service.api.graphql('{ manys { one } }'))).toBe('400 GRAPHQL_VALIDATION');
  });

  it('makes, compares and applies snapshots', async () => {
    const { schema_snapshot: snapshot } = await ask('{ schema_snapshot }');
    expect(snapshot).toEqual(await rest('/schema/snapshot'));
    const wanted = { ...snapshot, collections: [...snapshot.collections, { collection: 'box', meta: { note: 'n' }, schema: null }] };
    const { schema_diff: diff } = await ask('query($s: JSON!) { schema_diff(snapshot: $s) }', { s: wanted });
    expect(diff.diff.collections).toMatchObject([{ collection: 'box', diff: [{ kind: 'N' }] }]);
    expect(await ask('mutation($d: JSON!) { schema_apply(data: $d) }', { d: diff })).toEqual({ schema_apply: true });
    expect(await ask('query($s: JSON!) { schema_diff(snapshot: $s) }', { s: wanted })).toEqual({ schema_diff: null });
    const back = await ask('query($s: JSON!) { schema_diff(snapshot: $s) }', { s: snapshot });
    await ask('mutation($d: JSON!) { schema_apply(data: $d, lossy: true) }', { d: back.schema_diff });
    expect((await ask('{ schema_snapshot }')).schema_snapshot).toEqual(snapshot);
  });

  it('previews, and changes nothing by it', async () => {
    const before = await rest('/schema/snapshot');
    const { structure_preview: preview } = await ask(
      '{ structure_preview(change: create_field, collection: "ones", data: {field: "planned", type: "string"}) }',
    );
    expect(preview).toMatchObject({ statements: [expect.stringContaining('planned')], breaks: [] });
    expect(await rest('/schema/snapshot')).toEqual(before);
  });

  it('is for administrators, and refuses what REST refuses', async () => {
    const query = 'mutation { delete_collections_item(collection: "ones") { collection } }';
    const { api } = await makePerson(service, [{ permissions: [{ collection: 'ones', action: 'read' }] }]);
    for (const stranger of [api, service.as(null)]) {
      expect(codeOf(await stranger.graphql(query, {}, '/graphql/system'))).toBe('400 GRAPHQL_VALIDATION');
    }
    const bad = 'mutation { create_fields_item(collection: "ones", data: {field: "a\\"; drop table ones; --", type: "string"}) { field } }';
    expect(codeOf(await service.api.graphql(bad, {}, '/graphql/system'))).toBe('200 INVALID_PAYLOAD');
    expect(codeOf(await service.api.get('/items/ones'))).toBe('200');
  });
});
