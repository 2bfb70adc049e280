// Every operation of the catalogue by every way in: REST, GraphQL and a call of the embedding application give the same value for the same
// input, the same code for what is wrong with it, and refuse the same callers.
//
// Two differences belong to a protocol and follow from its table. A value that REST takes from a URL's query is refused by INVALID_QUERY
// where others are refused by INVALID_PAYLOAD. GraphQL answers GRAPHQL_VALIDATION for what its types refuse: an argument of another type,
// and a field of an operation that is not open to the caller, who has no such field.

import { authenticator } from 'otplib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { membersOf } from '../../src/doors/graphql/operations/operation-field.js';
import { answerOf, placeMembers } from '../../src/service/describe/openapi/operation-route.js';
import { catalogue } from '../../src/service/operations/catalogue.js';
import type { Operation } from '../../src/service/operations/operation.js';
import { createTokenSigner } from '../../src/service/secrets/signed-token.js';
import { badInputs } from '../harness/bad-inputs.js';
import { type MailBox, openMailBox } from '../harness/mail-box.js';
import {
  byCall,
  byGraphql,
  byRest,
  fieldOf,
  isRefusedByTypes,
  type Result,
  routeOf,
  selectionOf,
  TestFile,
  type Values,
} from '../harness/operation-doors.js';
import { makePerson, type Person } from '../harness/people.js';
import { type RemoteFiles, startRemoteFiles } from '../harness/remote-files.js';
import { adminEmail, adminPassword, startService, type TestService } from '../harness/start-service.js';
import { makeStorageFolder, type StorageFolder, upload } from '../harness/upload.js';
import type { Vendor } from '../harness/vendors.js';

interface Sample {
  readonly input: Values;
  /** An input that can be used once, and whose it is; made again for each door. */
  readonly fresh?: () => Promise<Asked>;
  /** The code for callers who may run the operation with useless input: a token of no user, a code of another user. */
  readonly otherwise?: string;
  /** What has to be equal of values that are not: random ones, and those that depend on what was written before. */
  readonly alike?: (value: unknown) => unknown;
  /** What GraphQL selects of items. */
  readonly selection?: string;
  /** The code with which every caller is refused in this database. */
  readonly refused?: string;
  /** What it selects for callers who see less of the output. */
  readonly publicSelection?: string;
}

interface Asked {
  readonly input: Values;
  /** Without it the administrator. */
  readonly by?: Person;
}

/** The values differ from one moment to the next. */
const namesOfMetrics = (value: unknown): readonly string[] => [...String(value).matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);

const lengthOf = (value: unknown): number => String(value).length;
const without =
  (...names: readonly string[]) =>
  (value: unknown): unknown =>
    Object.fromEntries(Object.entries(value as Values).filter(([name]) => !names.includes(name)));

/** A busy machine makes a database slow from one moment to the next. */
const healthOf = (value: unknown): unknown => ({
  ...(without('checks')(value) as Values),
  status: (value as Values)['status'] === 'error' ? 'error' : 'ok or slow',
});

/** Names of the members that are there. */
const namesOf = (value: unknown): readonly string[] =>
  Object.entries(value as Values).flatMap(([name, member]) => (member === null ? [] : [name]));

/** GraphQL answers null for what REST leaves out, and defaults of columns as text. */
function nameOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nameOf);
  const { collection, field } = value as Values;
  return [collection, field];
}

/** The same input again, after something that makes it possible again; it fails where that is not needed. */
const again = (input: Values, prepare: () => Promise<unknown>): Sample => ({
  input,
  fresh: async () => {
    await prepare();
    return { input };
  },
});

const changeSamples: Readonly<Record<string, Sample>> = {
  createCollection: {
    ...again({ data: { collection: 'made', meta: {}, schema: {} } }, () => service.api.delete('/collections/made')),
    alike: nameOf,
  },
  updateCollection: { input: { collection: 'rows', data: { meta: { note: 'n' } } }, alike: nameOf },
  updateCollections: { input: { data: [{ collection: 'rows', meta: { note: 'm' } }] }, alike: nameOf },
  deleteCollection: {
    ...again({ collection: 'made' }, () => service.api.post('/collections', { collection: 'made', meta: {}, schema: {} })),
  },
  createField: {
    ...again({ collection: 'rows', data: { field: 'made', type: 'string' } }, () => service.api.delete('/fields/rows/made')),
    alike: nameOf,
  },
  updateField: { input: { collection: 'rows', field: 'title', data: { meta: { note: 'n' } } }, alike: nameOf },
  updateFields: { input: { collection: 'rows', data: [{ field: 'title', meta: { note: 'm' } }] }, alike: nameOf },
  deleteField: {
    ...again({ collection: 'rows', field: 'made' }, () => service.api.post('/fields/rows', { field: 'made', type: 'string' })),
  },
  createRelation: {
    ...again({ data: { collection: 'links', field: 'other', related_collection: 'rows' } }, () =>
      service.api.delete('/relations/links/other'),
    ),
    alike: nameOf,
  },
  updateRelation: { input: { collection: 'links', field: 'row', data: { meta: { one_deselect_action: 'delete' } } }, alike: nameOf },
  deleteRelation: {
    ...again({ collection: 'links', field: 'other' }, () =>
      service.api.post('/relations', { collection: 'links', field: 'other', related_collection: 'rows' }),
    ),
  },
  createIndex: again({ collection: 'rows', data: { name: null, fields: ['title'], unique: false } }, () =>
    service.api.delete('/indexes/rows/rows_title_index'),
  ),
  deleteIndex: again({ collection: 'rows', name: 'rows_title_index' }, () => service.api.post('/indexes/rows', { fields: ['title'] })),
  changeStructure: {
    input: { data: [{ change: 'update_collection', collection: 'rows', field: null, name: null, data: { meta: { note: 'several' } } }] },
  },
  apply: { input: { data: { hash: 'x', diff: { collections: [], fields: [], relations: [] } }, force: false, lossy: false } },
};

interface World {
  /** One of the rows'. */
  readonly revision: number;
  readonly file: string;
  /** A file that has one. */
  readonly content: string;
  /** Where a file can be fetched from. */
  readonly url: string;
  readonly version: string;
  readonly share: string;
  /** Waits for POST. */
  readonly flow: string;
  readonly role: string;
  readonly admin: string;
  readonly mailBox: MailBox;
}

const credentials = { email: adminEmail, password: adminPassword };

const unknownProvider = { refused: 'ROUTE_NOT_FOUND', otherwise: 'ROUTE_NOT_FOUND' };

const unfitAddress = { refused: 'UNPROCESSABLE_CONTENT', otherwise: 'UNPROCESSABLE_CONTENT' };

const note = new TestFile('note.txt', 'text/plain', 'a note');
const ofFile = { query: { fields: 'filename_download,type' } };

const keptSettings = { ISSUER_URL: 'https://login.example.com', CLIENT_ID: 'tain' };
const keepProvider = (): Promise<unknown> =>
  service.api.post('/auth/providers', { name: 'kept', driver: 'openid', settings: keptSettings });

/** An input that every operation takes. */
const samples = ({
  revision,
  file,
  content,
  url,
  version,
  share,
  flow,
  role,
  admin,
  mailBox,
}: World): Readonly<Record<string, Sample>> => ({
  ping: { input: {} },
  providers: { input: { sessionOnly: false } },
  readKeptProviders: { input: {} },
  createProvider: again({ name: 'kept', driver: 'openid', settings: keptSettings }, () => service.api.delete('/auth/providers/kept')),
  updateProvider: again({ name: 'kept', settings: { LABEL: 'Another' } }, keepProvider),
  deleteProvider: again({ name: 'kept' }, keepProvider),
  // What trying says of providers is tested with real ones (kept-providers.test.ts).
  tryProvider: { input: { name: 'none', driver: 'openid', settings: { ...keptSettings, ISSUER_URL: 'http://127.0.0.1:1' } } },
  // There is no provider here: what they do is tested with real ones (sign-on.test.ts).
  loginByProvider: {
    input: { provider: 'none', identifier: null, email: adminEmail, password: adminPassword, mode: 'json', otp: null },
    ...unknownProvider,
  },
  beginSignOn: { input: { provider: 'none', redirect: null, prompt: null, otp: null }, ...unknownProvider },
  completeSignOn: {
    input: { provider: 'none', code: 'c', state: 's', iss: null, error: null, error_description: null, session_state: null, accept: null },
    ...unknownProvider,
  },
  completeSamlSignOn: { input: { provider: 'none', SAMLResponse: 'PA==', RelayState: 's', accept: null }, ...unknownProvider },
  readSamlMetadata: { input: { provider: 'none' }, ...unknownProvider },
  endBySaml: { input: { provider: 'none', query: 'SAMLRequest=x' }, ...unknownProvider },
  // PUBLIC_URL is not set here: what passkeys do is tested in passkeys.test.ts.
  passkeyLoginOptions: { input: {}, ...unfitAddress },
  loginByPasskey: { input: { response: {}, mode: 'json' }, ...unfitAddress },
  passkeyOptions: { input: { password: adminPassword }, ...unfitAddress },
  addMyPasskey: { input: { name: 'Laptop', response: {} }, ...unfitAddress },
  readMyPasskeys: { input: {} },
  renameMyPasskey: { input: { passkey: 'none', name: 'Laptop' }, refused: 'FORBIDDEN' },
  removeMyPasskey: { input: { passkey: 'none' }, refused: 'FORBIDDEN' },
  readPasskeys: { input: { id: admin } },
  removePasskeyOf: { input: { id: admin, passkey: 'none' }, refused: 'FORBIDDEN' },
  readMyKeys: { input: {} },
  makeMyKey: {
    input: {
      ...{ name: 'Importer', policy: null, write: true, collections: ['rows'], addresses: ['10.0.0.0/8'] },
      ...{ expires: '2099-01-01T00:00:00.000Z', password: null },
    },
    alike: without('id', 'user', 'token', 'ending', 'created'),
    fresh: async () => {
      const by = await makePerson(service, [{ permissions: [{ collection: 'rows', action: 'read' }] }]);
      return { input: { name: 'Importer', collections: ['rows'], password: by.password }, by };
    },
  },
  renameMyKey: { input: { key: 'none', name: 'Importer' }, refused: 'FORBIDDEN' },
  revokeMyKey: { input: { key: 'none' }, refused: 'FORBIDDEN' },
  readKeys: { input: {} },
  readKeysOf: { input: { id: admin } },
  revokeKeyOf: { input: { id: admin, key: 'none' }, refused: 'FORBIDDEN' },
  readMySessions: { input: {}, alike: (value) => (value as readonly unknown[]).map(namesOf) },
  endMySessions: { input: { keep: true } },
  readMyIdentities: { input: {} },
  addMyIdentity: { input: { provider: 'none', redirect: null, password: adminPassword }, ...unknownProvider },
  removeMyIdentity: { input: { identity: 'none' }, refused: 'FORBIDDEN' },
  readIdentities: { input: { id: admin } },
  removeIdentityOf: { input: { id: admin, identity: 'none' }, refused: 'FORBIDDEN' },
  endByProvider: { input: { provider: 'none', logout_token: 'a.b.c' }, ...unknownProvider },
  logoutByProvider: { input: { provider: 'none', redirect: '/', refresh_token: 'nobody has it', mode: 'json' }, ...unknownProvider },
  resolveRedirect: { input: { redirect: '/admin', provider: null } },
  login: { input: { ...credentials, mode: 'json', otp: null }, alike: namesOf },
  refresh: {
    input: { refresh_token: 'nobody has it', mode: 'json' },
    alike: namesOf,
    fresh: async () => {
      const { refresh_token } = (await service.as(null).post('/auth/login', credentials)).body.data;
      return { input: { refresh_token, mode: 'json' } };
    },
  },
  logout: { input: { refresh_token: 'nobody has it', mode: 'json' } },
  requestPasswordReset: { input: { email: 'nobody@example.com', reset_url: null } },
  resetPassword: {
    input: { token: 'a.b.c', password: 'another one' },
    otherwise: 'INVALID_TOKEN',
    fresh: async () => {
      const { email } = await makePerson(service, []);
      await service.as(null).post('/auth/password/request', { email });
      return { input: { token: await tokenTo(mailBox, email), password: 'another one' } };
    },
  },
  openShare: { input: { share, password: null, mode: 'json' }, alike: namesOf },
  inviteToShare: { input: { share, emails: ['friend@example.com'], share_url: null } },
  readShareInfo: { input: { id: share }, alike: without('times_used') },
  register: {
    input: { email: 'new@example.com', password: 'my own', first_name: 'Ann', last_name: null, verification_url: null },
  },
  verifyEmail: {
    input: { token: 'a.b.c' },
    otherwise: 'INVALID_TOKEN',
    fresh: async () => {
      const { id } = await makePerson(service, [], { status: 'unverified' });
      return { input: { token: await signer.sign('verify-email', { id }, 60_000) } };
    },
  },
  inviteUsers: { input: { email: 'guest@example.com', role, invite_url: null } },
  inviteByLinks: { input: { email: 'guest@example.com', role, invite_url: null } },
  acceptInvitation: {
    input: { token: 'a.b.c', password: 'my own' },
    otherwise: 'INVALID_TOKEN',
    fresh: async () => {
      const { id } = await makePerson(service, [], { status: 'invited' });
      return { input: { token: await signer.sign('invite', { id }, 60_000), password: 'my own' } };
    },
  },
  generateTfa: { input: { password: adminPassword }, alike: namesOf },
  enableTfa: {
    input: { secret: 'JBSWY3DPEHPK3PXP', otp: '123456' },
    otherwise: 'INVALID_PAYLOAD',
    fresh: async () => {
      const by = await makePerson(service, []);
      const { secret } = (await by.api.post('/users/me/tfa/generate', { password: by.password })).body.data;
      return { input: { secret, otp: authenticator.generate(secret) }, by };
    },
  },
  disableTfa: {
    input: { otp: '123456' },
    otherwise: 'INVALID_PAYLOAD',
    fresh: async () => {
      const secret = authenticator.generateSecret(32);
      return { input: { otp: authenticator.generate(secret) }, by: await makePerson(service, [], { tfa_secret: secret }) };
    },
  },
  disableTfaOf: { input: { id: admin } },
  readSessions: { input: { id: admin }, alike: (value) => (value as readonly unknown[]).map(namesOf) },
  endSessions: { input: { id: admin } },
  saveVersion: { input: { id: version, data: { title: 'drafted' } } },
  compareVersion: { input: { id: version } },
  promoteVersion: {
    input: { id: version, mainHash: 'x', fields: null },
    fresh: async () => {
      await service.api.post(`/versions/${version}/save`, { title: 'drafted' });
      const { mainHash } = (await service.api.get(`/versions/${version}/compare`)).body.data;
      return { input: { id: version, mainHash, fields: ['title'] } };
    },
  },
  serverInfo: { input: {}, publicSelection: '{ project { project_name } }' },
  serverHealth: { input: {}, alike: healthOf },
  serverReady: { input: {} },
  readMetrics: { input: {}, alike: namesOfMetrics },
  // What a service that keeps the log answers is tested in slow-statements.test.ts.
  readSlowStatements: { input: {} },
  readOpenApi: { input: {}, alike: without('servers') },
  readTypes: { input: {} },
  readGraphqlAliases: { input: {} },
  readGraphqlSchema: { input: { scope: 'items' } },
  completeSetup: {
    input: { code: 'none', email: 'a@example.com', password: 'open sesame', project_name: 'Shop' },
    refused: 'FORBIDDEN',
  },
  readMe: { input: { query: { fields: 'id' } }, selection: '{ id }' },
  updateMe: { input: { data: { first_name: 'Ann' }, match: null, query: { fields: 'first_name' } }, selection: '{ first_name }' },
  readMyRoles: { input: { query: { fields: 'id' } }, selection: '{ id }' },
  readMyGlobals: { input: {} },
  readMyPermissions: { input: {} },
  readMyPermissionsOnItem: { input: { collection: 'rows', id: 1 } },
  trackPage: { input: { last_page: '/somewhere' } },
  randomString: { input: { length: 12 }, alike: lengthOf },
  generateHash: { input: { string: 'open sesame' }, alike: lengthOf },
  verifyHash: { input: { string: 'open sesame', hash: 'no hash' } },
  sortItems: { input: { collection: 'rows', item: 2, to: 1 } },
  revert: { input: { revision } },
  importItems: { input: { collection: 'rows', file: new TestFile('rows.csv', 'text/csv', 'title\nimported\n') } },
  importCollections: {
    input: { data: [{ collection: 'rows', items: [{ title: 'x' }] }], mode: 'add', dry_run: true, dangerously_allow_delete: false },
    alike: without('collections'),
  },
  exportItems: { input: { collection: 'rows', query: { fields: ['id'] }, format: 'csv', file: { title: 'rows', folder: null } } },
  clearCache: { input: {} },
  tryMail: { input: {} },
  readManualFlows: { input: {} },
  testFlow: { input: { id: flow, trigger: { body: { word: 'hi' } } } },
  replayRun: { input: { id: '4ba0e2b4-0000-4000-8000-000000000000' }, refused: 'FORBIDDEN' },
  triggerFlow: { input: { id: flow, body: { word: 'hi' } } },
  listExtensions: { input: {} },
  readRegistry: { input: {} },
  installExtension: { input: { data: { extension: 'x', version: 'y' } }, refused: 'INVALID_PAYLOAD' },
  explainAccess: { input: { as: `role:${role}`, collection: 'rows', action: 'read', item: 1, field: 'title' } },
  listCollections: { input: { keys: null }, alike: nameOf },
  readCollection: { input: { name: 'rows' }, alike: nameOf },
  listFields: { input: {}, alike: nameOf },
  listFieldsOf: { input: { collection: 'rows' }, alike: nameOf },
  readField: { input: { collection: 'rows', field: 'title' }, alike: nameOf },
  listRelations: { input: {}, alike: nameOf },
  listRelationsOf: { input: { collection: 'links' }, alike: nameOf },
  readRelation: { input: { collection: 'links', field: 'row' }, alike: nameOf },
  suggestRelations: { input: {} },
  listIndexes: { input: {}, alike: nameOf },
  listIndexesOf: { input: { collection: 'rows' } },
  readIndex: { input: { collection: 'rows', name: 'rows_place' } },
  ...changeSamples,
  previewStructure: {
    input: { change: 'create_field', collection: 'rows', data: { field: 'planned', type: 'string' }, force: false, lossy: false },
  },
  snapshot: { input: { include: ['rows'], exclude: null } },
  diff: { input: { snapshot: { version: 1, collections: [], fields: [], relations: [] }, mode: 'merge' } },
  uploadFiles: { input: { file: note, ...ofFile } },
  replaceFile: { input: { id: file, file: note, match: null, ...ofFile } },
  importFile: { input: { url, data: { description: 'd' }, ...ofFile }, selection: '{ filename_download type }' },
  readAsset: { input: { id: content, parameters: { download: 'true' }, accept: 'text/*' } },
  batch: { input: { operations: [{ id: 'a', method: 'GET', path: '/items/rows/1?fields=id', body: {}, if_match: null }], dry_run: false } },
});

const counted = {
  sqlite: 'integer primary key',
  postgres: 'integer generated by default as identity primary key',
  mysql: 'integer auto_increment primary key',
};
const fixtureOf = ({ name }: Vendor): string =>
  `create table rows (id ${counted[name]}, title varchar(50), place integer); insert into rows (title, place) values ('one', 1), ('two', 2);` +
  'create table links (id integer primary key, row integer references rows, other integer); create index rows_place on rows (place)';

const secret = 'the secret that signs tokens in this test';
const signer = createTokenSigner(secret);

const tokenTo = async (mailBox: MailBox, email: string): Promise<string> =>
  /token=([\w.-]+)/.exec((await mailBox.next(email)).text)?.[1] ?? '';

let service: TestService;
let mailBox: MailBox;
let folder: StorageFolder;
let elsewhere: RemoteFiles;
let admin: { readonly user: string };
let reader: Person;
let known: Readonly<Record<string, Sample>>;

beforeAll(async () => {
  const [vendor] = inject('vendors');
  if (vendor === undefined) throw new Error('no vendor');
  [mailBox, folder, elsewhere] = [await openMailBox(), makeStorageFolder(), await startRemoteFiles()];
  const config = { secret, mailUrl: mailBox.url, trustProxy: true, storageRoot: folder.root, importAllow: ['127.0.0.1'] };
  service = await startService(vendor, { area: 'operations', fixture: fixtureOf(vendor), config });
  const { api } = service;
  await api.patch('/collections/rows', { meta: { sort_field: 'place', versioning: true } });
  await api.patch('/settings', { public_registration: true });
  await api.patch('/items/rows/2', { title: 'deux' });
  const { data } = (await api.get('/revisions?fields=id&filter[collection][_eq]=rows&limit=1')).body;
  admin = { user: (await api.get('/users/me?fields=id')).body.data.id };
  const made = async (path: string, item: Values): Promise<string> => (await api.post(path, item)).body.data.id;
  known = samples({
    mailBox,
    revision: data[0].id,
    file: await made('/files', { storage: 'local', type: 'text/plain', filename_download: 'old.txt' }),
    content: (await upload(api, { name: 'read.txt', bytes: 'to be read' })).body.data.id,
    url: `${elsewhere.url}/some/notes.txt`,
    admin: admin.user,
    version: await made('/versions', { collection: 'rows', item: '1', key: 'draft', name: 'Draft' }),
    share: await made('/shares', { collection: 'rows', item: '1' }),
    flow: await makeFlow(made, api),
    role: await made('/roles', { name: 'guests' }),
  });
  reader = await makePerson(service, [{ permissions: [{ collection: 'rows', action: 'read', fields: ['id'] }] }]);
});
afterAll(async () => {
  await service.stop();
  await mailBox.close();
  elsewhere.stop();
  folder.remove();
});

/** Answers a word of the body, and who pulled it. */
async function makeFlow(made: (path: string, item: Values) => Promise<string>, api: TestService['api']): Promise<string> {
  const flow = await made('/flows', { name: 'echo', trigger: 'webhook', options: { method: 'POST' } });
  const options = { json: { said: '{{$trigger.body.word}}', at: '{{$trigger.path}}', by: '{{$accountability.user}}' } };
  const operation = await made('/operations', { flow, key: 'say', type: 'transform', position_x: 1, position_y: 1, options });
  await api.patch(`/flows/${flow}`, { operation });
  return flow;
}

function sampleOf({ id }: Operation): Sample {
  const sample = known[id];
  if (sample === undefined) throw new Error(`there is no sample for ${id}: add its input to "samples"`);
  return sample;
}

const codeOf = (result: Result): string =>
  'code' in result ? result.code : `no error, but ${String(JSON.stringify(result.value)).slice(0, 100)}`;

/** The code of a refusal by REST, where others have INVALID_PAYLOAD. */
function restCode(operation: Operation, input: Values, member: string, code: string): string {
  const isQueried = placeMembers(routeOf(operation, input)).some((placement) => placement.member === member && placement.in === 'query');
  return isQueried && code === 'INVALID_PAYLOAD' ? 'INVALID_QUERY' : code;
}

/** Those for a tool on the other wire are tested there (wire.test.ts). */
const onThisWire = catalogue.filter(({ open }) => !open.includes('directus-wire'));

describe.each(onThisWire.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  it('answers the same value', async () => {
    const { input, alike = (value) => value, selection, fresh, refused } = sampleOf(operation);
    const ask = async (): Promise<Asked> => fresh?.() ?? { input };
    const { input: first, by } = await ask();
    const called = await byCall(service, operation, first, by === undefined ? admin : { user: by.id });
    if (refused === undefined) expect(called).toHaveProperty('value');
    else expect(codeOf(called)).toBe(refused);
    const comparable = (result: Result): unknown => ('code' in result ? result : alike(result.value));
    const second = await ask();
    const answered = await byRest(second.by?.api ?? service.api, operation, second.input);
    // What is gone is answered by REST with nothing.
    if ('value' in called && answerOf(routeOf(operation, input)).kind === 'nothing') expect(answered).toHaveProperty('value', null);
    else expect(comparable(answered)).toEqual(comparable(called));
    if (fieldOf(operation) === undefined) return;
    const selected = selection ?? selectionOf(operation.output);
    const third = await ask();
    expect(comparable(await byGraphql(third.by?.api ?? service.api, operation, third.input, selected))).toEqual(comparable(called));
  });

  it('refuses the same inputs by the same codes', async () => {
    const { input, selection } = sampleOf(operation);
    const placements = placeMembers(routeOf(operation, input));
    const isInPath = (name: string): boolean => placements.some(({ member, in: part }) => member === name && part === 'path');
    for (const { what, member, input: bad } of badInputs(operation, input)) {
      const isSelected = operation.input[member]?.facts.kind === 'query';
      // A URL and a selection cannot be of another kind, and a path always has its segments.
      if (isInPath(member) || isSelected || !mayCarry(operation, input, member, bad[member])) continue;
      const code = codeOf(await byCall(service, operation, bad, admin));
      expect([what, code]).toEqual([what, 'INVALID_PAYLOAD']);
      if (placements.some((placement) => placement.member === member))
        expect([what, codeOf(await byRest(service.api, operation, bad))]).toEqual([what, restCode(operation, input, member, code)]);
      const row = fieldOf(operation);
      if (row === undefined || !(member in membersOf(row))) continue;
      const expected = isRefusedByTypes(row, bad) ? 'GRAPHQL_VALIDATION' : code;
      const selected = selection ?? selectionOf(operation.output);
      expect([what, codeOf(await byGraphql(service.api, operation, bad, selected))]).toEqual([what, expected]);
    }
  });

  it('is closed to the same callers', async () => {
    const { input, selection, publicSelection, otherwise = 'FORBIDDEN' } = sampleOf(operation);
    const callers = [
      [service.as(null), null],
      [reader.api, { user: reader.id }],
    ] as const;
    const check = async ([api, caller]: (typeof callers)[number]): Promise<void> => {
      const called = await byCall(service, operation, input, caller);
      const isClosed = 'code' in called;
      if (isClosed) expect(['FORBIDDEN', 'INVALID_CREDENTIALS', otherwise]).toContain(called.code);
      const rest = await byRest(api, operation, input);
      expect('code' in rest ? rest.code : null).toBe(isClosed ? called.code : null);
      const row = fieldOf(operation);
      if (row === undefined) return;
      const graphql = await byGraphql(api, operation, input, publicSelection ?? selection ?? selectionOf(operation.output));
      // A caller who may not read the items has no field that selects them.
      if (row.selects !== undefined) expect(codeOf(graphql)).toBe('GRAPHQL_VALIDATION');
      else if (!isClosed) expect(graphql).toHaveProperty('value');
      else expect(['GRAPHQL_VALIDATION', called.code]).toContain(codeOf(graphql));
    };
    await Promise.all(callers.map(check));
  });
});

/** In a URL or a header every value is text, and an absent one cannot be distinguished from one that was left out. */
function mayCarry(operation: Operation, input: Values, member: string, value: unknown): boolean {
  const placement = placeMembers(routeOf(operation, input)).find((entry) => entry.member === member);
  if (placement?.in === 'header') return typeof value === 'string';
  if (placement?.in !== 'query') return true;
  return value !== undefined && typeof value !== 'object' && (typeof value === 'string' || placement.shape.facts.kind !== 'text');
}
