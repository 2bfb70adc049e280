// Prepares a seeded database for the workloads through the public API: relations with their lists, and a caller who may read published
// articles without body, price and metadata, and active authors without address and biography.

import { tokens } from './workloads.mjs';

export async function setUp(url, { rules = true, relations = true } = {}) {
  const call = (method, path, body) => send(url, method, path, body);
  const known = await call('GET', '/users?filter={"email":{"_eq":"bench-reader@example.com"}}&limit=1');
  if (known.length > 0) return;
  for (const [collection, field, special] of [
    ['articles', 'metadata', 'cast-json'],
    ['authors', 'active', 'cast-boolean'],
  ])
    await call('PATCH', `/fields/${collection}/${field}`, { meta: { special: [special] } });
  await setUpLists(call);
  if (relations) await setUpRelations(call);
  await setUpReader(call, rules);
}

/** A service may have inferred the lists from foreign keys. */
async function setUpLists(call) {
  const found = new Set((await call('GET', '/fields/articles')).map(({ field }) => field));
  for (const [field, special] of [
    ['comments', 'o2m'],
    ['tags', 'm2m'],
  ])
    if (!found.has(field)) await call('POST', '/fields/articles', { field, type: 'alias', meta: { special: [special] } });
}

async function setUpRelations(call) {
  const relate = (collection, field, related, meta) =>
    call('PATCH', `/relations/${collection}/${field}`, { collection, field, related_collection: related, meta });
  await relate('comments', 'article', 'articles', { one_field: 'comments' });
  await relate('article_tags', 'articles_id', 'articles', { one_field: 'tags', junction_field: 'tags_id' });
  await relate('article_tags', 'tags_id', 'tags', { junction_field: 'articles_id' });
}

async function setUpReader(call, rules) {
  const policy = await call('POST', '/policies', { name: 'bench reader', app_access: false, admin_access: false });
  const open = { permissions: null, fields: ['*'] };
  const may = (collection, rule) => ({ policy: policy.id, collection, action: 'read', ...(rules ? rule : open) });
  await call('POST', '/permissions', [
    may('articles', {
      permissions: { status: { _eq: 'published' } },
      fields: ['id', 'title', 'status', 'published_at', 'views', 'author', 'category'],
    }),
    may('authors', { permissions: { active: { _eq: true } }, fields: ['id', 'name', 'country'] }),
  ]);
  const role = await call('POST', '/roles', { name: 'bench reader' });
  await call('POST', '/access', { role: role.id, policy: policy.id });
  await call('POST', '/users', {
    email: 'bench-reader@example.com',
    password: 'bench-reader-1',
    role: role.id,
    token: tokens.reader,
    status: 'active',
  });
}

async function send(url, method, path, body) {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 400)}`);
  return JSON.parse(text).data;
}
