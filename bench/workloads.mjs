// The workloads: the requests to the service, the bare handler and the peers, in a hundred variants each.

import { countries, rareWords } from './dataset.mjs';

export const workloads = {
  a: 'one item by key',
  b: '25 flat, filter and sort',
  c: '25 nested',
  d: 'the same over GraphQL',
  e: 'count by group',
  f: 'create',
  g: 'nested create',
  h: '1,000 flat',
  i: 'deep filter',
  j: 'list with rules',
  k: 'update',
};

export const isWriting = (workload) => ['f', 'g', 'k'].includes(workload);
export const variants = Array.from({ length: 100 }, (_, at) => at);
export const tokens = { admin: 'bench-admin-token', reader: 'bench-reader-token' };

const key = (k) => 1 + ((k * 7919 + 13) % 100_000);
const after = (k) => key(k) % 90_000;
const category = (k) => 1 + (k % 50);
const views = (k) => (k * 491) % 50_000;
const country = (k) => countries[k % countries.length];
const word = (k) => rareWords[k % rareWords.length];

const flat = 'id,title,status,published_at,views,price,author,category';
const full = 'id,title,body,status,published_at,views,price,metadata,author,category';
const nestedFields = `id,title,published_at,author.id,author.name,author.country,category.id,category.name,comments.id,comments.body,\
comments.author_name,comments.created_at,tags.tags_id.id,tags.tags_id.name`;
const nestedDocument = `query($k: GraphQLStringOrFloat) {
  articles(filter: {category: {id: {_eq: $k}}}, sort: ["-published_at"], limit: 25) {
    id title published_at author { id name country } category { id name }
    comments(limit: 5, sort: ["-created_at"]) { id body author_name created_at } tags { tags_id { id name } }
  }
}`;

const article = (k) => ({
  title: `bench ${k}`,
  body: 'lorem ipsum '.repeat(40),
  status: 'draft',
  published_at: '2019-01-01T00:00:00',
  views: k,
  price: 12.5,
  metadata: { lang: 'en', score: k },
  author: 1 + k,
  category: category(k),
});
const nestedArticle = (k) => ({
  ...article(k),
  comments: [1, 2].map((n) => ({ author_name: `b ${n}`, body: `comment ${n}`, created_at: '2019-01-02T00:00:00' })),
  tags: [{ tags_id: 1 + k }, { tags_id: 2 + k }],
});

/** Two variants in a row write different values to the same item, so that an update nearly always changes something. */
const change = (k) => ({ id: key(k >> 1), title: `bench ${k}` });

const bearer = (token) => ({ authorization: `Bearer ${token}` });
const get = (path, headers) => ({ method: 'GET', path: path.replaceAll('[', '%5B').replaceAll(']', '%5D'), headers, body: null });
const send = (method) => (path, headers, body) => ({
  method,
  path,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const [post, patch] = ['POST', 'PATCH'].map(send);

const admin = bearer(tokens.admin);
const list = (rest, headers = admin) => get(`/items/articles?${rest}`, headers);

/** For services with /items: Tain and Directus. */
const ofItems = {
  a: (k) => get(`/items/articles/${key(k)}?fields=${full}`, admin),
  b: (k) => list(`fields=${flat}&filter[status][_eq]=published&filter[views][_gte]=${views(k)}&sort=-published_at&limit=25`),
  c: (k) =>
    list(
      `fields=${nestedFields}&deep[comments][_limit]=5&deep[comments][_sort]=-created_at&filter[category][_eq]=${category(k)}&sort=-published_at&limit=25`,
    ),
  d: (k) => post('/graphql', admin, { query: nestedDocument, variables: { k: category(k) } }),
  e: () => list('aggregate[count]=*&groupBy[]=category&filter[status][_eq]=published'),
  f: (k) => post(`/items/articles?fields=${full}`, admin, article(k)),
  g: (k) => post('/items/articles?fields=id,title,comments,tags', admin, nestedArticle(k)),
  h: (k) => list(`fields=${flat}&filter[id][_gt]=${after(k)}&sort=id&limit=1000`),
  i: (k) =>
    list(`fields=id,title,author&filter[author][country][_eq]=${country(k)}&filter[comments][body][_contains]=${word(k)}&sort=id&limit=25`),
  j: (k) =>
    list(
      `fields=id,title,published_at,author.id,author.name&filter[category][_eq]=${category(k)}&sort=-published_at&limit=25`,
      bearer(tokens.reader),
    ),
  k: (k) => patch(`/items/articles/${change(k).id}?fields=${full}`, admin, { title: change(k).title }),
};

const ofBare = {
  a: (k) => get(`/a?${key(k)}`, {}),
  b: (k) => get(`/b?published&${views(k)}`, {}),
  c: (k) => get(`/c?${category(k)}`, {}),
  d: (k) => get(`/c?${category(k)}`, {}),
  e: () => get('/e?published', {}),
  f: (k) => post('/f', {}, article(k)),
  g: (k) => post('/g', {}, nestedArticle(k)),
  h: (k) => get(`/h?${after(k)}`, {}),
  i: (k) => get(`/i?${country(k)}&%25${word(k)}%25`, {}),
  j: (k) => get(`/j?${category(k)}`, {}),
  k: (k) => post('/k', {}, change(k)),
};

/** One fixed document per workload, so that PostGraphile can cache its plans. */
const ofPostgraphile = {
  a: (k) =>
    post(
      '/graphql',
      {},
      {
        query:
          'query($k: Int!) { data: articleByRowId(rowId: $k) { rowId title body status publishedAt views price metadata author category } }',
        variables: { k: key(k) },
      },
    ),
  c: (k) => post('/graphql', {}, { query: postgraphileNested, variables: { k: category(k) } }),
  d: (k) => post('/graphql', {}, { query: postgraphileNested, variables: { k: category(k) } }),
};
const postgraphileNested = `query($k: Int!) {
  data: allArticles(first: 25, orderBy: PUBLISHED_AT_DESC, condition: {category: $k}) { nodes {
    rowId title publishedAt authorByAuthor { rowId name country } categoryByCategory { rowId name }
    commentsByArticle(first: 5, orderBy: CREATED_AT_DESC) { nodes { rowId body authorName createdAt } }
    articleTagsByArticlesId { nodes { tagByTagsId { rowId name } } }
  } }
}`;

const dialects = { items: ofItems, bare: ofBare, postgraphile: ofPostgraphile };

/** The request of a variant; null when the dialect has no such request. */
export const requestOf = (dialect, workload, variant) => dialects[dialect][workload]?.(variant) ?? null;
