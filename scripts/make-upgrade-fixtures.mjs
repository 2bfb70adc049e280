// Makes the fixtures of test/system/upgrade.test.ts: databases as a revision of the past left them, with a few rows, as one script per vendor.
// The revision is taken from the history, started on an empty database of each vendor, used a little, and stopped.
//   TEST_POSTGRES_URL=… TEST_MYSQL_URL=… node scripts/make-upgrade-fixtures.mjs d7e5878 0002    (0002: its newest migration)
// Needs pg_dump, psql, mariadb, mariadb-dump and sqlite3.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [revision, version] = process.argv.slice(2);
const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tain_upgrade_'));
const run = (command, args, options = {}) => execFileSync(command, args, { maxBuffer: 256 * 1024 * 1024, ...options }).toString();

const password = 'upgrade-1-password';
const token = 'upgrade-admin-token';

async function playRevision(databaseUrl) {
  const env = { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'error', RATE_LIMIT: 'off', ADMIN_TOKEN: token, ADMIN_PASSWORD: password };
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts', 'start', databaseUrl], { cwd: folder, env });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const addressOf = () => /http:\/\/[\w.]+:\d+/.exec(printed)?.[0];
  while (addressOf() === undefined) {
    if (child.exitCode !== null) throw new Error(printed);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await makeRows(addressOf());
  child.kill('SIGTERM');
  await ended;
}

async function makeRows(url) {
  const post = async (path, body, authorization = `Bearer ${token}`) => {
    const headers = { 'content-type': 'application/json', authorization };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()).data;
  };
  const key = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } };
  await post('/collections', {
    collection: 'notes',
    schema: {},
    meta: { versioning: true },
    fields: [key, { field: 'text', type: 'string' }],
  });
  const role = await post('/roles', { name: 'reader' });
  const policy = await post('/policies', { name: 'reader', app_access: true });
  await post('/access', { role: role.id, policy: policy.id });
  await post('/permissions', { policy: policy.id, collection: 'notes', action: 'read', fields: ['*'] });
  await post('/users', { email: 'reader@example.com', password, role: role.id, token: 'upgrade-reader-token' });
  await post('/auth/login', { email: 'reader@example.com', password }, '');
  const note = await post('/items/notes', { text: 'first' });
  const draft = await post('/versions', { collection: 'notes', item: String(note.id), key: 'draft', name: 'Draft' });
  await post(`/versions/${draft.id}/save`, { text: 'second' });
  await post('/presets', { collection: 'notes', bookmark: 'mine' });
  await post('/folders', { name: 'folder' });
}

/** Leaves out what says nothing of the tables. */
const shorten = (text) =>
  text
    .replace(/^(--|SET |SELECT pg_catalog\.set_config|\\|\/\*!40101 SET|\/\*M!).*\n/gm, '')
    .replace(/ AS IDENTITY \([^)]*\)/g, ' AS IDENTITY')
    .replace(/\n+(?=\n)/g, '')
    .trim();

const address = (server) => {
  const { hostname, port, username, password: secret } = new URL(server);
  return { hostname, port, username, secret };
};

const name = 'tain_upgrade_fixture';
const vendors = {
  async sqlite() {
    const file = join(folder, 'tain.db');
    await playRevision(`sqlite:${file}`);
    const dump = run('sqlite3', [file, '.dump']).replace(/^(BEGIN|COMMIT|DELETE FROM sqlite_sequence).*\n/gm, '');
    return `${dump}PRAGMA foreign_keys=ON;`;
  },
  async postgres() {
    const server = process.env['TEST_POSTGRES_URL'];
    for (const text of [`drop database if exists ${name}`, `create database ${name}`])
      run('psql', ['-q', `${server}/postgres`, '-c', text]);
    await playRevision(`${server}/${name}`);
    const dump = run('pg_dump', ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-comments', `${server}/${name}`]);
    run('psql', ['-q', `${server}/postgres`, '-c', `drop database ${name}`]);
    return dump;
  },
  async mysql() {
    const { hostname, port, username, secret } = address(process.env['TEST_MYSQL_URL']);
    const access = ['-h', hostname, '-P', port, '-u', username, ...(secret === '' ? [] : [`-p${secret}`])];
    run('mariadb', [...access, '-e', `drop database if exists ${name}; create database ${name}`]);
    await playRevision(`${process.env['TEST_MYSQL_URL']}/${name}`);
    const dump = run('mariadb-dump', [...access, '--compact', '--skip-comments', name]);
    run('mariadb', [...access, '-e', `drop database ${name}`]);
    return `set foreign_key_checks = 0;\n${dump}`;
  },
};

try {
  run('tar', ['-x', '-C', folder], {
    input: execFileSync('git', ['archive', revision, 'src', 'package.json', 'tsconfig.json', 'scripts'], {
      cwd: root,
      maxBuffer: 512 * 1024 * 1024,
    }),
  });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const out = join(root, 'test/fixtures/upgrade');
  mkdirSync(out, { recursive: true });
  for (const [vendor, make] of Object.entries(vendors))
    writeFileSync(
      join(out, `${version}.${vendor}.sql`),
      `-- As revision ${revision} left it (scripts/make-upgrade-fixtures.mjs).\n${shorten(await make())}\n`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
