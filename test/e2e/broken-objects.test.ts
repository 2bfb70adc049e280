// What the owner of the database made may not work: a trigger whose function is gone, a view that was never filled or divides by zero, a
// foreign server that is away, a geometry that GeoJSON does not know, a column without a right. It is refused by name, and the rest works.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Answer } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { startService, type TestService } from '../harness/start-service.js';
import { createDatabase, type VendorName } from '../harness/vendors.js';

const fixtures: Readonly<Record<VendorName, string>> = {
  sqlite: `create table books (id integer primary key, title text, pages integer);
    insert into books values (1, 'One', 0);
    create trigger sorts after update on books begin update books set pages = title_sort(new.title) where id = new.id; end;
    create table notes (id integer primary key, words text);
    create trigger writes after insert on notes begin insert into gone values (new.id); end;`,
  postgres: `create table books (id integer primary key, title text, pages integer);
    insert into books values (1, 'One', 0);
    create function sorts() returns trigger language plpgsql as $$ begin perform title_sort(new.title); return new; end $$;
    create constraint trigger sorts after update on books deferrable initially deferred for each row execute function sorts();
    create table notes (id integer primary key, words text);
    create function writes() returns trigger language plpgsql as $$ begin insert into gone values (new.id); return new; end $$;
    create trigger writes after insert on notes for each row execute function writes();
    create view halves as select id, 1 / pages as half from books;
    create materialized view sums as select sum(pages) as sum from books with no data;
    create extension postgres_fdw;
    create server away foreign data wrapper postgres_fdw options (host '127.0.0.1', port '1', dbname 'none');
    create user mapping for public server away options (user 'nobody', password 'x');
    create foreign table afar (id integer) server away;`,
  mysql: `create table books (id integer primary key, title text, pages integer);
    insert into books values (1, 'One', 0);
    create trigger sorts before update on books for each row set new.pages = title_sort(new.title);
    create table notes (id integer primary key, words text);
    create trigger writes after insert on notes for each row insert into gone values (new.id);
    create table halved (id integer primary key);
    create view halves as select id from halved;
    drop table halved;`,
};

const refusal = ({ status, body }: Answer): readonly unknown[] => [status, body.errors?.[0].extensions.code, body.errors?.[0].message];

describeEachVendor('what the owner made and does not work', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'broken', fixture: fixtures[vendor.name] });
  });
  afterAll(() => service.stop());

  it('a trigger is refused in the words of the database, and nothing is changed', async () => {
    const { api } = service;
    const failed = [400, 'FAILED_VALIDATION'];
    expect(refusal(await api.patch('/items/books/1', { title: 'Two' }))).toEqual([...failed, expect.stringMatching(/title_sort/)]);
    expect(refusal(await api.post('/items/notes', { id: 1 }))).toEqual([...failed, expect.stringMatching(/gone/)]);
    expect((await api.get('/items/books')).body.data).toEqual([{ id: 1, title: 'One', pages: 0 }]);
    expect((await api.get('/items/notes')).body.data).toEqual([]);
  });

  it('a view is refused by name, and other collections are read', async () => {
    const { api } = service;
    const asked = vendor.name === 'postgres' ? ['halves', 'sums', 'afar'] : vendor.name === 'mysql' ? ['halves'] : [];
    const said = { halves: /divi|halves/, sums: /"sums" has not been populated/, afar: /server "away"/ };
    for (const name of asked)
      expect(refusal(await api.get(`/items/${name}`)), name).toEqual([
        400,
        'INVALID_QUERY',
        expect.stringMatching(said[name as keyof typeof said]),
      ]);
    expect((await api.get('/server/health')).body.status).toBe('ok');
    expect((await api.get('/items/books')).status).toBe(200);
  });
});

for (const vendor of inject('vendors').filter(({ name }) => name !== 'sqlite')) {
  describe(`a column that may not be read (${vendor.name})`, () => {
    const user = `tain_test_${randomBytes(4).toString('hex')}`;

    it('is hidden, as a table is', async () => {
      const database = await createDatabase(vendor, 'columns');
      const direct = await openDirectAccess(vendor, database.url);
      await direct.sql(`create table books (id integer primary key, title varchar(20), secret varchar(20));
        insert into books values (1, 'One', 'hidden');`);
      const name = new URL(database.url).pathname.slice(1);
      const grants =
        vendor.name === 'postgres'
          ? [
              `create role ${user} login password 'secret'`,
              `grant select (id, title), update (title) on books to ${user}`,
              `grant create on database ${name} to ${user}`,
            ]
          : [
              `create user ${user}@'%' identified by 'secret'`,
              `grant select (id, title), update (title), insert (secret) on \`${name}\`.books to ${user}@'%'`,
            ];
      for (const grant of grants) await direct.sql(grant);
      const own = await createDatabase(vendor, 'columnsown', vendor.prepared);
      const url = new URL(database.url);
      url.username = user;
      url.password = 'secret';
      const service = await startService(vendor, { area: 'columnssys', config: { databaseUrl: url.href, systemDatabaseUrl: own.url } });
      expect((await service.api.get('/items/books')).body).toEqual({ data: [{ id: 1, title: 'One' }] });
      expect((await service.api.get('/fields/books')).body.data.map(({ field }: { field: string }) => field)).toEqual(['id', 'title']);
      await service.stop();
      await direct.sql(vendor.name === 'postgres' ? `drop owned by ${user}` : `drop user ${user}@'%'`);
      if (vendor.name === 'postgres') await direct.sql(`drop role ${user}`);
      await direct.close();
      await own.drop();
      await database.drop();
    });
  });
}

/** PostGIS is a package of its own, which not every machine has. */
describeEachVendor(
  'geometries of PostGIS',
  (vendor) => {
    it('are GeoJSON, curves and geography among them, and are written back', async () => {
      const probe = await startService(vendor, { area: 'geo' });
      const [known] = await probe.sql("select count(*)::int as n from pg_available_extensions where name = 'postgis'");
      await probe.stop();
      if (known?.['n'] === 0) {
        process.stdout.write('not tested: this PostgreSQL has no PostGIS (postgresql-15-postgis-3)\n');
        return;
      }
      const fixture = `create extension postgis;
        create table places (id integer primary key, spot geography(Point, 4326), area geography, shape geometry);
        insert into places values (1, 'POINT(1 2)', 'LINESTRING(0 0, 1 1)', 'CIRCULARSTRING(0 0, 1 1, 2 0)'),
          (2, null, null, 'POINT(0.123456789012 3)'), (3, null, null, 'TIN(((0 0 0, 0 0 1, 0 1 0, 0 0 0)))'),
          (4, null, null, 'GEOMETRYCOLLECTION(POINT(1 2), CIRCULARSTRING(0 0, 1 1, 2 0))');`;
      const { api, stop } = await startService(vendor, { area: 'geo', fixture });
      const { status, body } = await api.get('/items/places?sort=id');
      expect([status, body.data?.map(({ shape }: { shape: { type?: string } }) => shape.type ?? shape)]).toEqual([
        200,
        ['LineString', 'Point', expect.stringMatching(/^TIN/), 'GeometryCollection'],
      ]);
      const point = { type: 'Point', coordinates: [1, 2] };
      expect(body.data[0].spot).toEqual(point);
      expect(body.data[1].shape.coordinates).toEqual([0.123456789012, 3]);
      const there = { type: 'Point', coordinates: [3, 4] };
      expect((await api.patch('/items/places/1', { spot: there })).body.data).toMatchObject({ spot: there });
      const near = JSON.stringify({ spot: { _intersects: there } });
      expect((await api.get(`/items/places?fields=id&filter=${near}`)).body.data).toEqual([{ id: 1 }]);
      await stop();
    });
  },
  inject('vendors').filter(({ name }) => name === 'postgres'),
);
