// The way back: a database of Directus is adopted, written through Tain, released, and Directus itself shows what was written as Tain showed it.
// Then the other way round: what Directus writes afterwards is there when the database is adopted again.

import { beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { adoptDatabase, type Config, createService, releaseDatabase, type Service } from '../../src/tain.js';
import { type Api, makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { projectScript, readProject, writeUploads } from '../harness/directus-project.js';
import { fetchDirectus, startDirectus } from '../harness/directus-server.js';
import { patientConfig } from '../harness/patience.js';
import { makeStorageFolder, upload } from '../harness/upload.js';
import { createDatabase } from '../harness/vendors.js';

const token = 'admintoken';
const guestToken = 'token-of-the-guest';
const password = 'A-Password-Of-Tain-1';

interface Written {
  readonly article: string;
  readonly gone: string;
  readonly author: number;
  readonly user: string;
  readonly file: string;
}

async function startTain(config: Config): Promise<{ readonly service: Service; readonly url: string }> {
  const service = await createService(config);
  const url = await service.listen();
  await service.ready();
  return { service, url };
}

/** Writes of every kind, each of them acknowledged. */
async function writeThrough(api: Api): Promise<Written> {
  const made = async (path: string, body: unknown) => {
    const { status, body: answer, text } = await api.post(path, body);
    expect(status, text).toBe(200);
    return answer.data;
  };
  const role = await made('/roles', { name: 'Guests of Tain' });
  const policy = await made('/policies', { name: 'Guests read', app_access: true });
  await made('/access', { role: role.id, policy: policy.id });
  await made('/permissions', {
    policy: policy.id,
    collection: 'articles',
    action: 'read',
    permissions: { status: { _eq: 'published' } },
    fields: ['id', 'title'],
  });
  const user = await made('/users', { email: 'newcomer@magazine.example.com', password, role: role.id, token: guestToken });
  const { body: file } = await upload(api, { name: 'note.txt', bytes: 'Written through Tain' }, { title: 'A note' });
  const nested = {
    title: 'Written through Tain – ünïcode 🌊',
    status: 'published',
    slug: 'through-tain',
    author: { name: 'Author of Tain' },
    topics: [{ topics_slug: { slug: 'tain', title: 'Tain' } }],
    blocks: [{ collection: 'block_text', item: { heading: 'A block' } }],
  };
  const article = await made('/items/articles', nested);
  const gone = await made('/items/articles', { title: 'Gone', slug: 'gone-again', status: 'draft' });
  expect((await api.patch(`/items/articles/${article.id}`, { lead: 'Changed', words: 12 })).status).toBe(200);
  expect((await api.delete(`/items/articles/${gone.id}`)).status).toBe(204);
  const renamed = 'mutation ($id: ID!, $data: update_authors_input!) { update_authors_item(id: $id, data: $data) { id } }';
  const { body: answered } = await api.graphql(renamed, { id: article.author, data: { name: 'Author, by GraphQL' } });
  expect(answered.errors).toBeUndefined();
  const version = await made('/versions', { key: 'tain', name: 'Of Tain', collection: 'articles', item: article.id });
  await made(`/versions/${version.id}/save`, { lead: 'In a version' });
  await made('/comments', { collection: 'articles', item: article.id, comment: 'Said through Tain' });
  await made('/presets', { bookmark: 'Tain', collection: 'articles', filter: { status: { _eq: 'published' } } });
  return { article: article.id, gone: gone.id, author: article.author, user: user.id, file: file.data.id };
}

/** What both servers are asked. Moments and keys are those of the database, so the answers are equal to the letter. */
const questions = ({ article, gone, author, user, file }: Written): readonly string[] => [
  `/items/articles/${article}?fields=id,title,lead,words,status,slug,author.name,topics.topics_slug.title,blocks.collection,blocks.item.heading`,
  `/items/articles?filter[id][_eq]=${gone}&fields=id`,
  '/items/articles?fields=title,status,date_created&sort=slug&limit=-1',
  `/items/authors/${author}?fields=name`,
  `/users/${user}?fields=email,status,role.name,role.policies.policy.name`,
  `/files/${file}?fields=title,filename_download,type,storage`,
  `/revisions?filter[item][_eq]=${article}&fields=collection,item,activity.action,delta&sort=id`,
  `/activity?filter[item][_in]=${article},${gone}&fields=action,collection,item,user.email,timestamp&sort=id`,
  `/versions?filter[item][_eq]=${article}&fields=key,name,item`,
  `/comments?filter[item][_eq]=${article}&fields=comment,user_created.email`,
  '/presets?filter[bookmark][_eq]=Tain&fields=collection,filter',
  '/permissions?filter[policy][name][_eq]=Guests read&fields=collection,action,permissions,fields',
];

async function answersOf(url: string, written: Written): Promise<Readonly<Record<string, unknown>>> {
  const answers: Record<string, unknown> = {};
  for (const path of questions(written)) answers[path] = await answerTo(url, token, path);
  answers['the articles of the guest'] = await answerTo(url, guestToken, '/items/articles?fields=id,title&sort=id&limit=-1');
  answers['what the guest may not filter by'] = await answerTo(url, guestToken, '/items/articles?fields=id&filter[slug][_eq]=through-tain');
  return answers;
}

async function answerTo(url: string, caller: string, path: string): Promise<unknown> {
  const { status, body } = await makeApi(url, caller).get(path);
  return { status, data: body.data };
}

describeEachVendor('a database that was adopted and released', (vendor) => {
  beforeAll(fetchDirectus, 1_800_000);

  it('shows Directus what was written through Tain, and Tain what Directus wrote then', async () => {
    const project = readProject();
    const database = await createDatabase(vendor, 'adoptback');
    const direct = await openDirectAccess(vendor, database.url);
    const storage = makeStorageFolder();
    const config = readConfig(
      {},
      { databaseUrl: database.url, storageRoot: storage.root, port: 0, logLevel: 'error', rateLimit: null, ...patientConfig },
    );
    try {
      await direct.sql(projectScript(project, vendor.name));
      await direct.close();
      writeUploads(project, storage.root);
      await adoptDatabase(config, false);
      const first = await startTain(config);
      const written = await writeThrough(makeApi(first.url, token));
      const answers = await answersOf(first.url, written);
      await first.service.close();
      await releaseDatabase(config);

      const directus = await startDirectus(vendor, database.url, storage.root);
      const api = makeApi(directus.url, token);
      let late: string;
      try {
        expect(await answersOf(directus.url, written)).toEqual(answers);
        expect((await api.get(`/assets/${written.file}`)).text).toBe('Written through Tain');
        const guest = { email: 'newcomer@magazine.example.com', password };
        expect((await api.post('/auth/login', guest)).status).toBe(200);
        const made = await api.post('/items/articles', { title: 'Written by Directus', slug: 'by-directus', status: 'draft' });
        expect(made.status, made.text).toBe(200);
        late = made.body.data.id;
      } finally {
        await directus.stop();
      }

      await adoptDatabase(config, false);
      const second = await startTain(config);
      const again = makeApi(second.url, token);
      try {
        expect((await again.get(`/items/articles/${late}?fields=title`)).body.data).toEqual({ title: 'Written by Directus' });
        const [revision] = (await again.get(`/revisions?filter[item][_eq]=${late}&fields=activity.action`)).body.data;
        expect(revision).toEqual({ activity: { action: 'create' } });
        expect((await again.patch(`/items/articles/${late}`, { lead: 'And by Tain' })).status).toBe(200);
      } finally {
        await second.service.close();
      }
    } finally {
      await database.drop();
      storage.remove();
    }
  });
});
