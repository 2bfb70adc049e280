// A second project of Directus, of another shape than the recorded one and with what years leave behind: everything in it is found again by
// REST and GraphQL, with the same rights for each of its people, on every vendor and for each version of its tables.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authenticator } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { adoptDatabase, createService, type Service } from '../../src/tain.js';
import { type Api, makeApi } from '../harness/api.js';
import { clinicProject, clinicTokens, clinicKeys as keys } from '../harness/clinic-project.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { projectScript, writeUploads } from '../harness/directus-project.js';
import { patientConfig } from '../harness/patience.js';
import { createDatabase, type TestDatabase } from '../harness/vendors.js';

describe.each([11, 12, 'early'] as const)('a clinic of version %s', (version) => {
  describeEachVendor('adopted', (vendor) => {
    let database: TestDatabase;
    let direct: DirectAccess;
    let service: Service;
    let url: string;
    let folder: string;
    let found: readonly string[];
    const as = (who: keyof typeof clinicTokens | null): Api => makeApi(url, who === null ? null : clinicTokens[who]);
    const data = async (who: keyof typeof clinicTokens | null, path: string) => {
      const { status, body } = await as(who).get(path);
      expect({ path, status, errors: body.errors }).toEqual({ path, status: 200, errors: undefined });
      return body.data;
    };
    const graphql = async (who: keyof typeof clinicTokens | null, query: string, system = false) => {
      const { body } = await as(who).graphql(query, undefined, system ? '/graphql/system' : '/graphql');
      expect({ query, errors: body.errors }).toEqual({ query, errors: undefined });
      return body.data;
    };
    const foreign = async (): Promise<object> =>
      Object.fromEntries(Object.entries(await direct.checksums()).filter(([name]) => !name.startsWith('service_')));

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'tain-clinic-'));
      const project = clinicProject(version);
      writeUploads(project, folder);
      database = await createDatabase(vendor, 'clinic');
      direct = await openDirectAccess(vendor, database.url);
      await direct.sql(projectScript(project, vendor.name));
      const config = readConfig(
        {},
        { databaseUrl: database.url, storageRoot: folder, port: 0, logLevel: 'error', rateLimit: null, ...patientConfig },
      );
      const before = await foreign();
      found = (await adoptDatabase(config, false)).findings.map(({ text }) => text);
      service = await createService(config);
      url = await service.listen();
      await service.ready();
      expect(await foreign()).toEqual(before);
    });

    afterAll(async () => {
      await service?.close();
      await direct?.close();
      await database?.drop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('gets a report of what it contains', () => {
      expect(found).toEqual(
        expect.arrayContaining([
          `tables of Directus ${version === 12 ? 12 : 11}, 12 tables of the project`,
          '7 users: passwords, 6 static tokens and 1 second factor work unchanged; every user signs in once',
          '2 files (2 in "local")',
          '1 user of the provider "hospital" cannot sign in until AUTH_PROVIDERS names it with its settings; a password is not taken instead',
          '1 extension will not run: interfaces and displays they bring stay named in the metadata',
          '3 flows, 2 active: they run as soon as this service serves the database',
          'flows with operations that nobody knows here end where such an operation is reached: operation-of-an-extension',
        ]),
      );
    });

    it('has every value in its type, by either door', async () => {
      const ana = await data('admin', `/items/patients/${keys.ana}`);
      expect(ana).toMatchObject({
        name: 'Ana',
        status: 'new',
        insuranceNo: 'A-1',
        chart: { pulse: [60, 61], note: "it's $CURRENT_USER of directus_users" },
        allergies: ['nuts', 'dust'],
        alive: true,
        born: '1980-02-29',
        admitted: '2024-05-06T12:00:00',
        seen: '2024-05-06T12:00:01.000Z',
        wakes: '06:30:00',
        imported_from: 'csv',
        user_created: keys.doctor,
      });
      expect([Number(ana.weight), Number(ana.steps)]).toEqual([61.5, 9007199254740]);
      const others = await data('admin', '/items/patients?fields=name,chart,allergies,alive&sort=-name&limit=2');
      expect(others).toEqual([
        { name: 'Cem', chart: [], allergies: expect.toSatisfy((value) => value === null || value.length === 0), alive: null },
        { name: 'Ben', chart: null, allergies: null, alive: false },
      ]);
      const { patients_by_id } = await graphql('admin', `{ patients_by_id(id: "${keys.ana}") { insuranceNo chart allergies born seen } }`);
      expect(patients_by_id).toMatchObject({ insuranceNo: 'A-1', chart: ana.chart, allergies: ana.allergies, born: ana.born });
      expect(Date.parse(patients_by_id.seen)).toBe(Date.parse(ana.seen));
    });

    it('has its relations: the tree, users, junctions, translations, any collection, and those without a constraint', async () => {
      const fields = 'parent.name,children.name,children.children.name,chief.badge,translations.lang.name,translations.name';
      expect(await data('admin', `/items/wards/${keys.icu}?fields=${fields}`)).toEqual({
        parent: { name: 'House' },
        children: [{ name: 'Cellar', children: [] }],
        chief: { badge: 'D-1' },
        translations: [
          { lang: { name: 'Deutsch' }, name: 'Intensiv' },
          { lang: { name: 'Français' }, name: 'Réa' },
        ],
      });
      const parts =
        'parts.collection,parts.item:part_note.body,parts.item:directus_files.title,parts.item:directus_files.filename_download';
      const ana = await data(
        'admin',
        `/items/patients/${keys.ana}?fields=helpers.directus_users_id.badge,treatments.Name,visits.why,photo.tags,photo.folder.name,${parts}`,
      );
      expect(ana).toMatchObject({
        helpers: [{ directus_users_id: { badge: 'D-1' } }],
        treatments: [{ Name: 'X-ray' }],
        visits: [{ why: 'Cough' }],
        photo: { tags: ['lung'], folder: { name: 'Scans' } },
      });
      expect(ana.parts.slice(0, 2)).toMatchObject([{ item: { body: 'Coughs' } }, { item: { filename_download: 'scan.txt' } }]);
      const { wards, patients } = await graphql(
        'admin',
        `{ wards(filter: { children: { name: { _eq: "Cellar" } } }) { name parent { name } leads: chief { leads { name } } }
           patients(filter: { treatments: { Name: { _eq: "X-ray" } } }) { name helpers { directus_users_id { badge } } visits { why } } }`,
      );
      expect(wards).toEqual([{ name: 'ICU', parent: { name: 'House' }, leads: { leads: [{ name: 'ICU' }] } }]);
      expect(patients).toEqual([{ name: 'Ana', helpers: [{ directus_users_id: { badge: 'D-1' } }], visits: [{ why: 'Cough' }] }]);
      expect(await data('admin', '/items/visits?fields=why,patient.name&sort=id')).toMatchObject([
        { patient: { name: 'Ana' } },
        { why: 'Left' },
      ]);
      expect(await data('admin', '/items/house_rules')).toMatchObject({ text: 'Be quiet' });
    });

    it('has its structure, with what other programs and extensions left in it', async () => {
      const names = (await data('admin', '/collections')).map(({ collection }: { collection: string }) => collection);
      expect(names).toEqual(expect.arrayContaining(['house', 'Treatments', 'bed_plan', 'raw_log', 'pharmacy', 'directus_users']));
      expect(await data('admin', '/fields/patients/chart')).toMatchObject({
        type: 'json',
        meta: { interface: 'super-chart-of-an-extension', display: 'chart-of-an-extension', options: { levels: [1, 2] } },
      });
      expect((await data('admin', '/fields/patients/pin')).meta.special).toContain('flag-nobody-knows');
      expect(await data('admin', '/fields/patients/imported_from')).toMatchObject({ type: 'string', meta: null });
      expect(await data('admin', '/fields/directus_users/clinicWard')).toMatchObject({
        type: 'uuid',
        schema: { foreign_key_table: 'wards' },
      });
      expect(await data('admin', '/relations/visits/patient')).toMatchObject({ related_collection: 'patients', schema: null });
      expect(await data('admin', '/items/bed_plan')).toEqual([{ bed: 1, day: '2024-05-06', who: 'Ana' }]);
      expect(await data('admin', '/items/raw_log')).toEqual([{ line: 'started' }]);
      for (const path of ['/server/specs/oas', '/server/specs/graphql', '/server/specs/graphql/system', '/schema/snapshot'])
        expect({ path, status: (await as('admin').get(path)).status }).toEqual({ path, status: 200 });
    });

    it('gives each person what their rules say, by either door', async () => {
      const named = async (who: keyof typeof clinicTokens | null, collection: string, field = 'name') => {
        const rest = (await data(who, `/items/${collection}?fields=${field}&sort=${field}`)).map(
          (row: Record<string, unknown>) => row[field],
        );
        const answer = await graphql(who, `{ ${collection}(sort: ["${field}"]) { ${field} } }`);
        expect(answer[collection].map((row: Record<string, unknown>) => row[field])).toEqual(rest);
        return rest;
      };
      expect(await named('doctor', 'patients')).toEqual(['Ana', 'Ben']);
      expect(await named('doctor', 'Treatments', 'Name')).toEqual(['X-ray']);
      expect(await named('nurse', 'patients')).toEqual(['Ana', 'Cem']);
      expect(await named('nurse', 'wards')).toEqual(['House', 'ICU', 'Cellar'].toSorted());
      expect(await named('desk', 'wards')).toEqual(['Cellar', 'House', 'ICU']);
      expect(await named('desk', 'visits', 'why')).toEqual(['Cough', 'Left']);
      expect(await named(null, 'wards')).toEqual(['Cellar', 'House', 'ICU']);
      expect((await as(null).get('/items/patients')).status).toBe(403);
      expect((await as('nurse').get('/items/patients?fields=pin')).status).toBe(403);
      const afar = await as('bot').get('/items/patients');
      expect([afar.status, afar.body.errors[0].extensions.code]).toEqual([401, 'INVALID_IP']);
      expect((await makeApi(url, 'clinic-left').get('/users/me')).status).toBe(401);
      expect((await data('doctor', '/files')).map(({ id }: { id: string }) => id)).toEqual([keys.scan]);
      expect((await as('doctor').get(`/assets/${keys.scan}`)).text).toBe('scan');
      expect((await as('nurse').get(`/assets/${keys.scan}`)).status).toBe(403);
    });

    it('is not broken by permissions on what is gone', async () => {
      expect((await as('desk').get('/items/pharmacy')).status).toBe(403);
      // A rule on a field that is gone holds for no item, and closes nothing else.
      expect((await as('desk').get('/items/Treatments')).body).toEqual({ data: [] });
      expect((await as('desk').get('/items/wards')).status).toBe(200);
      expect((await as('desk').graphql('{ __schema { queryType { name } } }')).status).toBe(200);
      const mine = await data('doctor', '/permissions/me');
      expect(mine.patients.update).toMatchObject({ access: 'partial', presets: { status: 'seen' } });
    });

    it('has its presets, flows, dashboards, shares, versions, comments and history', async () => {
      expect((await data('doctor', '/presets?sort=id')).map(({ id }: { id: number }) => id)).toEqual([1, 3, 4]);
      expect(await data('admin', '/presets/1')).toMatchObject({ filter: { doctor: { _eq: '$CURRENT_USER' } } });
      expect(await data('admin', '/flows?fields=name,operations.key&sort=name')).toHaveLength(3);
      expect(await data('admin', '/panels?fields=type,options,dashboard.name')).toEqual([
        { type: 'panel-of-an-extension', options: { collection: 'wards' }, dashboard: { name: 'Beds' } },
      ]);
      const comments = await as('admin').get('/comments?fields=comment,user_created.first_name');
      if (version !== 'early') expect(comments.body.data).toEqual([{ comment: 'Ask again', user_created: { first_name: 'Dora' } }]);
      expect(await data('admin', '/revisions?fields=data,activity.user.first_name')).toEqual([
        { data: { name: 'Ana' }, activity: { user: { first_name: 'Chi' } } },
      ]);
      expect(await data('admin', '/folders?fields=name,parent.name&sort=name')).toEqual([
        { name: '2024', parent: { name: 'Scans' } },
        { name: 'Private', parent: null },
        { name: 'Scans', parent: null },
      ]);
      const later = `/items/patients/${keys.ana}?version=later&fields=name,helpers.directus_users_id.badge,parts.item:part_note.body`;
      expect(await data('admin', later)).toMatchObject({
        name: 'Ana Maria',
        helpers: expect.arrayContaining([{ directus_users_id: { badge: 'N-1' } }, { directus_users_id: { badge: 'D-1' } }]),
      });
      expect(await data('admin', `/items/patients/${keys.ben}?version=blank&fields=name`)).toMatchObject({ name: 'Ben' });
      const answered = await makeApi(url, null).post('/flows/trigger/'.concat(keys.ping), { word: 'hi' });
      expect(answered.body).toEqual({ pong: 'hi', by: null });
      const pulled = await graphql('doctor', `mutation { flows_trigger(id: "${keys.ping}", body: { word: "ho" }) }`, true);
      expect(pulled).toEqual({ flows_trigger: { pong: 'ho', by: keys.doctor } });
      expect((await as('admin').get(`/flows/trigger/${keys.mail}`)).status).toBe(204);
      expect((await as('admin').post(`/flows/trigger/${keys.mail}`, {})).status).toBe(403);
      const shared = await as(null).post('/shares/auth', { share: keys.share });
      expect(shared.status).toBe(200);
      expect((await as(null).post('/shares/auth', { share: keys.share.replace(/61$/, '62') })).status).toBe(401);
    });

    it('lets people in, and continues: what is written is found, and numbers continue', async () => {
      const login = (email: string, password: string, otp?: string) => as(null).post('/auth/login', { email, password, otp });
      expect((await login('doc@clinic.example.com', 'Editor-Pass-1')).status).toBe(200);
      expect((await login('desk@clinic.example.com', 'Careful-Pass-1')).status).toBe(401);
      expect(
        (await login('desk@clinic.example.com', 'Careful-Pass-1', authenticator.generate('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'))).status,
      ).toBe(200);
      const made = await as('doctor').post('/items/patients', {
        name: 'Dee',
        chart: { new: true },
        born: '1999-12-31',
        seen: '2024-05-07T08:00:00Z',
      });
      expect(made.body.data).toMatchObject({ name: 'Dee', doctor: keys.doctor, chart: { new: true }, born: '1999-12-31' });
      expect((await as('doctor').post('/items/patients', { name: '' })).status).toBe(400);
      expect((await as('doctor').patch(`/items/patients/${made.body.data.id}`, { name: 'Dee Dee' })).body.data).toMatchObject({
        status: 'seen',
      });
      expect((await as('doctor').patch(`/items/patients/${keys.cem}`, { name: 'x' })).status).toBe(403);
      const nested = await as('admin').patch(`/items/patients/${keys.ben}`, {
        ward: { name: 'Attic', parent: keys.ward, translations: [{ lang: 'de', name: 'Dach' }] },
        treatments: { create: [{ Name: 'Tea' }] },
        helpers: { create: [{ directus_users_id: { id: keys.nurse, badge: 'N-2' } }] },
        parts: { create: [{ collection: 'part_note', item: { body: 'New' } }] },
      });
      expect({ status: nested.status, errors: nested.body.errors }).toEqual({ status: 200, errors: undefined });
      expect(
        await data(
          'admin',
          `/items/patients/${keys.ben}?fields=ward.name,ward.translations.name,treatments.Name,helpers.directus_users_id.badge`,
        ),
      ).toEqual({
        ward: { name: 'Attic', translations: [{ name: 'Dach' }] },
        treatments: [{ Name: 'Tea' }],
        helpers: [{ directus_users_id: { badge: 'N-2' } }],
      });
      expect((await as('admin').patch(`/users/${keys.doctor}`, { badge: 'N-2' })).body.errors[0].extensions.code).toBe('RECORD_NOT_UNIQUE');
      expect((await as('admin').delete(`/users/${keys.doctor}`)).status).toBe(204);
      expect((await data('admin', `/items/wards/${keys.icu}`)).chief).toBeNull();
    });
  });
});
