// The bare handler: node:http and one hand-written prepared statement per request, whose JSON text is passed through. Without authentication,
// query language and schema it shows what the driver and the HTTP server can reach. `node bare-handler.mjs <database url> <port>`
//
// Paths: /a?argument&argument; writes are POST /f with a JSON body.

import { createServer } from 'node:http';
import * as statements from './bare-statements.mjs';

const [url = '', port = '0'] = process.argv.slice(2);
/** As many as the service has by default. */
const poolSize = Number(process.env.POOL_SIZE ?? 12);

const open = url.startsWith('postgres') ? openPostgres : url.startsWith('mysql') ? openMysql : openSqlite;
const answer = await open();

createServer((request, response) => {
  const { name, values } = readUrl(request.url ?? '/');
  if (request.method !== 'POST') return reply(response, name, values);
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => reply(response, name, [body]));
}).listen(Number(port), '127.0.0.1');

function readUrl(text) {
  const at = text.indexOf('?');
  if (at < 0) return { name: text.slice(1), values: [] };
  const values = text.slice(at + 1).split('&');
  return { name: text.slice(1, at), values: values.map((value) => (/^-?\d+$/.test(value) ? Number(value) : decodeURIComponent(value))) };
}

function reply(response, name, values) {
  try {
    const text = answer(name, values);
    if (typeof text === 'string') send(response, text);
    else text.then((value) => send(response, value)).catch((error) => fail(response, error));
  } catch (error) {
    fail(response, error);
  }
}

function send(response, text) {
  const body = `{"data":${text}}`;
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function fail(response, error) {
  response.writeHead(500).end(String(error));
}

async function openPostgres() {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({ connectionString: url, max: poolSize });
  return async (name, values) => {
    const { rows } = await pool.query({ name, text: statements.postgres[name], values, rowMode: 'array' });
    return rows[0]?.[0];
  };
}

/** With the durability of the service: WAL, and every commit synced to disk. */
async function openSqlite() {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(url.replace(/^sqlite:/, ''));
  for (const setting of ['journal_mode=wal', 'synchronous=full', 'busy_timeout=5000', 'mmap_size=268435456', 'cache_size=-65536'])
    database.pragma(setting);
  const prepared = Object.fromEntries(Object.entries(statements.sqlite).map(([name, text]) => [name, database.prepare(text)]));
  for (const statement of Object.values(prepared)) if (statement.reader) statement.pluck(true);
  const insert = (item) => prepared.article.run(statements.articleValues(item, JSON.stringify)).lastInsertRowid;
  const update = ({ id, title }) => {
    prepared.update.run(title, id);
    return id;
  };
  const insertNested = database.transaction((item) => {
    const id = insert(item);
    for (const { author_name, body, created_at } of item.comments) prepared.comment.run(id, author_name, body, created_at);
    for (const { tags_id } of item.tags) prepared.tag.run(id, tags_id);
    return id;
  });
  return (name, values) => {
    if (name === 'f') return prepared.a.get(insert(JSON.parse(values[0])));
    if (name === 'g') return prepared.a.get(insertNested.immediate(JSON.parse(values[0])));
    if (name === 'k') return prepared.a.get(update(JSON.parse(values[0])));
    return prepared[name].get(...values);
  };
}

async function openMysql() {
  const { default: mysql } = await import('mysql2/promise');
  const pool = mysql.createPool({ uri: url, connectionLimit: poolSize, dateStrings: true, jsonStrings: true });
  const read = async (connection, text, values) => {
    const [rows] = await connection.execute({ sql: text, rowsAsArray: true }, values);
    return rows.map((row) => row[0]);
  };
  const write = async (connection, text, values) => (await connection.execute(text, values))[0].insertId;
  const { mysql: texts } = statements;
  const insert = (connection, item) => write(connection, texts.article, statements.articleValues(item, JSON.stringify));
  const update = async ({ id, title }) => {
    await write(pool, texts.update, [title, id]);
    return id;
  };
  const insertNested = async (item) => {
    const connection = await pool.getConnection();
    await connection.query('begin');
    const id = await insert(connection, item);
    await write(
      connection,
      texts.comments,
      item.comments.flatMap((entry) => [id, entry.author_name, entry.body, entry.created_at]),
    );
    await write(
      connection,
      texts.tags,
      item.tags.flatMap((entry) => [id, entry.tags_id]),
    );
    await connection.query('commit');
    connection.release();
    return id;
  };
  return async (name, values) => {
    if (name === 'f') return (await read(pool, texts.a, [await insert(pool, JSON.parse(values[0]))]))[0];
    if (name === 'g') return (await read(pool, texts.a, [await insertNested(JSON.parse(values[0]))]))[0];
    if (name === 'k') return (await read(pool, texts.a, [await update(JSON.parse(values[0]))]))[0];
    const rows = await read(pool, texts[name], values);
    return name === 'c' ? `[${rows.join(',')}]` : rows[0];
  };
}
