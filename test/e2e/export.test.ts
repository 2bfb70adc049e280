// Lists as files: every format, on every vendor.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { leastStatements } from '../harness/least-statements.js';
import { startService, type TestService } from '../harness/start-service.js';
import { makeStorageFolder } from '../harness/upload.js';

const fixture = `
  create table makers (id integer primary key, name varchar(50));
  create table parts (id integer primary key, name varchar(80), price decimal(10,2), weight double precision, checked boolean, maker integer,
    foreign key (maker) references makers (id));
  insert into makers values (1, 'Björn & Söhne');
  insert into parts values (1, 'bolt "M8", long', -12.50, 0.5, true, 1), (2, '=HYPERLINK("http://x")', 3, null, false, null), (3, null, null, -1.5, null, 1);
`;

describeEachVendor('export', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'export', fixture });
  });
  afterAll(() => service.stop());

  const read = (query: string) => service.api.get(`/items/parts?${query}`);

  it('D25: leaves a formula as it is where raw CSV is asked for, so that an import gives it back', async () => {
    expect((await read('export=csv_raw&fields=name&filter[id]=2')).text).toBe('"name"\n"=HYPERLINK(""http://x"")"');
  });

  it('D25: writes CSV: texts quoted, numbers bare, objects laid flat, no formula left to run', async () => {
    const answer = await read('export=csv&fields=id,name,price,weight,checked,maker.name');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="parts \d{4}-\d\d-\d\d \d\d-\d\d-\d\d\.csv"$/);
    expect(answer.text).toBe(
      [
        '"id","name","price","weight","checked","maker.name"',
        '1,"bolt ""M8"", long","-12.50",0.5,true,"Björn & Söhne"',
        `2,"'=HYPERLINK(""http://x"")","3.00",,false,`,
        '3,,,-1.5,,"Björn & Söhne"',
      ].join('\n'),
    );
  });

  it('writes CSV for spreadsheets with a mark in front', async () => {
    const response = await fetch(`${service.url}/items/parts?export=csv_utf8&fields=id&limit=1`, {
      headers: { authorization: 'Bearer tain-test-admin-token' },
    });
    expect(Buffer.from(await response.arrayBuffer()).toString('hex')).toBe(`efbbbf${Buffer.from('"id"\n1').toString('hex')}`);
  });

  it('writes JSON, YAML and XML', async () => {
    const fields = 'fields=id,name,maker.name&sort=-id&limit=1';
    expect((await read(`export=json&${fields}`)).body).toEqual([{ id: 3, name: null, maker: { name: 'Björn & Söhne' } }]);
    expect((await read(`export=yaml&${fields}`)).text).toBe('- id: 3\n  name: null\n  maker:\n    name: Björn & Söhne\n');
    expect((await read(`export=xml&${fields}`)).text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<data>\n<item><id>3</id><name null="true"/><maker><name>Björn &amp; Söhne</name></maker></item>\n</data>\n',
    );
  });

  it('writes lists and groups as they are, and nothing for nothing', async () => {
    expect((await service.api.get('/items/makers?export=csv&fields=name,parts')).text).toBe('"name","parts"\n"Björn & Söhne","[1,3]"');
    expect((await read('export=csv&groupBy[]=maker&aggregate[count]=*&aggregate[max]=weight')).text).toBe(
      vendor.name === 'postgres' ? '"maker","count","max.weight"\n1,2,0.5\n,1,' : '"maker","count","max.weight"\n,1,\n1,2,0.5',
    );
    expect((await read('export=csv&filter[id][_eq]=99')).text).toBe('');
    expect((await read('export=json&filter[id][_eq]=99')).body).toEqual([]);
    expect((await read('export=yaml&filter[id][_eq]=99')).text).toBe('[]\n');
  });

  it('takes the default limit, an item of its own, and refuses before it begins', async () => {
    expect((await service.api.get('/items/parts/2?export=csv&fields=id,checked')).text).toBe('"id","checked"\n2,false');
    expect((await read('export=csv&fields=nothing')).status).toBe(403);
    expect((await read('export=csv&filter[id][_eq]=x')).body.errors[0].extensions.code).toBe('INVALID_QUERY');
    expect((await read('export=pdf')).status).toBe(400);
    expect((await service.as(null).get('/items/parts?export=csv')).status).toBe(403);
  });

  it('needs one statement', async () => {
    expect(await leastStatements(service, () => read('export=csv&fields=*.*&limit=-1'))).toBe(1);
  });

  it('finishes the exports it has accepted before it ends', async () => {
    const folder = makeStorageFolder();
    const ending = await startService(vendor, { area: 'export_end', fixture, config: { storageRoot: folder.root } });
    expect((await ending.api.post('/utils/export/parts', { query: { fields: ['id'] }, format: 'csv' })).status).toBe(204);
    await ending.stop();
    expect(folder.list()).toHaveLength(1);
    folder.remove();
  });
});
