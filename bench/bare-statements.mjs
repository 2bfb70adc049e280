// The SQL of the bare handler: one hand-written statement per workload, whose JSON the database writes. Values are parameters.

const flat = ['id', 'title', 'status', 'published_at', 'views', 'price', 'author', 'category'];
const full = ['id', 'title', 'body', 'status', 'published_at', 'views', 'price', 'metadata', 'author', 'category'];
const written = full.slice(1);

export const postgres = {
  a: `select row_to_json(t)::text from (select ${full.join(', ')} from articles where id = $1) t`,
  b: `select coalesce(json_agg(t), '[]')::text from (select ${flat.join(', ')} from articles
    where status = $1 and views >= $2 order by published_at desc limit 25) t`,
  c: `select coalesce(json_agg(t), '[]')::text from (
    select a.id, a.title, a.published_at,
      json_build_object('id', u.id, 'name', u.name, 'country', u.country) as author, json_build_object('id', g.id, 'name', g.name) as category,
      (select coalesce(json_agg(x), '[]') from (
        select id, body, author_name, created_at from comments where article = a.id order by created_at desc limit 5) x) as comments,
      (select coalesce(json_agg(json_build_object('tags_id', json_build_object('id', s.id, 'name', s.name))), '[]')
        from article_tags l join tags s on s.id = l.tags_id where l.articles_id = a.id) as tags
    from (select id, title, published_at, author, category from articles where category = $1 order by published_at desc limit 25) a
    left join authors u on u.id = a.author left join categories g on g.id = a.category order by a.published_at desc) t`,
  e: `select json_agg(t)::text from (select category, count(*) as count from articles where status = $1 group by category order by category) t`,
  f: `with n as (insert into articles (${written.join(', ')})
      select ${written.join(', ')} from json_populate_record(null::articles, $1::json) returning ${full.join(', ')})
    select row_to_json(n)::text from n`,
  g: `with i as (select $1::json as j),
      n as (insert into articles (${written.join(', ')})
        select ${written.map((column) => `r.${column}`).join(', ')} from i, json_populate_record(null::articles, i.j) r returning ${full.join(', ')}),
      k as (insert into comments (article, author_name, body, created_at)
        select n.id, c.author_name, c.body, c.created_at from n, i, json_populate_recordset(null::comments, i.j->'comments') c returning id),
      l as (insert into article_tags (articles_id, tags_id)
        select n.id, t.tags_id from n, i, json_populate_recordset(null::article_tags, i.j->'tags') t returning id)
    select json_build_object('id', n.id, 'title', n.title, 'comments', (select json_agg(id) from k), 'tags', (select json_agg(id) from l))::text
    from n`,
  k: `update articles set title = r.title from json_populate_record(null::articles, $1::json) r where articles.id = r.id
    returning (select row_to_json(t)::text from (select ${full.map((column) => `articles.${column}`).join(', ')}) t)`,
  h: `select coalesce(json_agg(t), '[]')::text from (select ${flat.join(', ')} from articles where id > $1 order by id limit 1000) t`,
  i: `select coalesce(json_agg(t), '[]')::text from (select a.id, a.title, a.author from articles a join authors u on u.id = a.author
    where u.country = $1 and exists (select 1 from comments c where c.article = a.id and c.body like $2) order by a.id limit 25) t`,
  j: `select coalesce(json_agg(t), '[]')::text from (select a.id, a.title, a.published_at,
      case when u.id is null then null else json_build_object('id', u.id, 'name', u.name) end as author
    from articles a left join authors u on u.id = a.author and u.active
    where a.status = 'published' and a.category = $1 order by a.published_at desc limit 25) t`,
};

const object = (columns, json) =>
  `json_object(${columns.map((column) => `'${column}', ${column === 'metadata' ? json : column}`).join(', ')})`;

const nested = (list) => ({
  head: `'id', a.id, 'title', a.title, 'published_at', a.published_at,
      'author', json_object('id', u.id, 'name', u.name, 'country', u.country), 'category', json_object('id', g.id, 'name', g.name),
      'comments', ${list.comments},
      'tags', ${list.tags}`,
  from: `(select id, title, published_at, author, category from articles where category = ? order by published_at desc limit 25) a
    left join authors u on u.id = a.author left join categories g on g.id = a.category order by a.published_at desc`,
});
const comment = (alias) =>
  `json_object('id', ${alias}id, 'body', ${alias}body, 'author_name', ${alias}author_name, 'created_at', ${alias}created_at)`;
const tagsOf = 'from article_tags l join tags s on s.id = l.tags_id where l.articles_id = a.id';
const tag = "json_object('tags_id', json_object('id', s.id, 'name', s.name))";
const authorOrNull = "case when u.id is null then null else json_object('id', u.id, 'name', u.name) end";
const readable = `from articles a left join authors u on u.id = a.author and u.active
    where a.status = 'published' and a.category = ? order by a.published_at desc limit 25`;
const deep = `from articles a join authors u on u.id = a.author where u.country = ?
    and exists (select 1 from comments c where c.article = a.id and c.body like ?) order by a.id limit 25`;
const insertArticle = `insert into articles (${written.join(', ')}) values (${written.map(() => '?').join(', ')})`;

const inSqlite = nested({
  comments: `(select json_group_array(${comment('')}) from (select * from comments where article = a.id order by created_at desc limit 5))`,
  tags: `(select json_group_array(${tag}) ${tagsOf})`,
});

export const sqlite = {
  a: `select ${object(full, 'json(metadata)')} from articles where id = ?`,
  b: `select json_group_array(json(j)) from (select ${object(flat)} as j from articles
    where status = ? and views >= ? order by published_at desc limit 25)`,
  c: `select json_group_array(json(j)) from (select json_object(${inSqlite.head}) as j from ${inSqlite.from})`,
  e: `select json_group_array(json_object('category', category, 'count', n)) from (
    select category, count(*) as n from articles where status = ? group by category)`,
  h: `select json_group_array(json(j)) from (select ${object(flat)} as j from articles where id > ? order by id limit 1000)`,
  i: `select json_group_array(json(j)) from (select json_object('id', a.id, 'title', a.title, 'author', a.author) as j ${deep})`,
  j: `select json_group_array(json(j)) from (
    select json_object('id', a.id, 'title', a.title, 'published_at', a.published_at, 'author', ${authorOrNull}) as j ${readable})`,
  article: insertArticle,
  update: 'update articles set title = ? where id = ?',
  comment: 'insert into comments (article, author_name, body, created_at) values (?, ?, ?, ?)',
  tag: 'insert into article_tags (articles_id, tags_id) values (?, ?)',
};

const inMysql = nested({
  comments: `(select coalesce(json_arrayagg(${comment('k.')} order by k.created_at desc limit 5), json_array()) from comments k where k.article = a.id)`,
  tags: `(select coalesce(json_arrayagg(${tag}), json_array()) ${tagsOf})`,
});
const listed = (inner) => `select coalesce(json_arrayagg(j), json_array()) as j from (${inner}) t`;

/** MariaDB accepts ORDER BY and LIMIT inside JSON_ARRAYAGG. `c` returns one row per item. */
export const mysql = {
  a: `select ${object(full, "json_extract(metadata, '$')")} as j from articles where id = ?`,
  b: listed(`select ${object(flat)} as j from articles where status = ? and views >= ? order by published_at desc limit 25`),
  c: `select json_object(${inMysql.head}) as j from ${inMysql.from}`,
  e: `select coalesce(json_arrayagg(json_object('category', category, 'count', n)), json_array()) as j from (
    select category, count(*) as n from articles where status = ? group by category) t`,
  h: listed(`select ${object(flat)} as j from articles where id > ? order by id limit 1000`),
  i: listed(`select json_object('id', a.id, 'title', a.title, 'author', a.author) as j ${deep}`),
  j: listed(`select json_object('id', a.id, 'title', a.title, 'published_at', a.published_at, 'author', ${authorOrNull}) as j ${readable}`),
  article: insertArticle,
  update: 'update articles set title = ? where id = ?',
  comments: 'insert into comments (article, author_name, body, created_at) values (?, ?, ?, ?), (?, ?, ?, ?)',
  tags: 'insert into article_tags (articles_id, tags_id) values (?, ?), (?, ?)',
};

export const articleValues = (item, json) => written.map((column) => (column === 'metadata' ? json(item[column]) : item[column]));
