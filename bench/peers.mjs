// Starts Directus 12.3 and PostGraphile 5 for `--peers`, installed from npm into a temporary folder, each on a PostgreSQL database of its own
// with the same rows. Directus refuses custom rules without a licence, so its reader may read everything and its workload j is lighter.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from './databases.mjs';
import { freePort, startProcess } from './processes.mjs';
import { setUp } from './setup.mjs';
import { tokens } from './workloads.mjs';

export async function* startPeers(scale) {
  for (const start of [startDirectus, startPostgraphile]) {
    try {
      yield await start(scale);
    } catch (error) {
      console.log(`${start.name}: ${error instanceof Error ? error.message.slice(0, 600) : error}`);
    }
  }
}

function installPackages(...packages) {
  const folder = mkdtempSync(join(tmpdir(), 'tain_bench_'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'peer', private: true, type: 'module' }));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return folder;
}

async function withDatabase(scale, name, folder, start) {
  const database = await openDatabase('postgres', scale, `tain_test_bench_${name}`);
  try {
    const { running, ...target } = await start(database);
    const stop = async () => {
      await running.stop();
      await database.close({ keep: false });
      rmSync(folder, { recursive: true, force: true });
    };
    return { ...target, pid: running.pid, databasePid: database.serverPid, isPeer: true, stop };
  } catch (error) {
    await database.close({ keep: false });
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Directus accepts no metadata for existing foreign keys through its API, so its table is written directly. */
const directusRelations = `insert into directus_relations (many_collection, many_field, one_collection, one_field, junction_field) values
  ('comments', 'article', 'articles', 'comments', null),
  ('article_tags', 'articles_id', 'articles', 'tags', 'tags_id'),
  ('article_tags', 'tags_id', 'tags', null, 'articles_id')`;

async function startDirectus(scale) {
  const folder = installPackages('directus@12.3', 'pg');
  return withDatabase(scale, 'directus', folder, async (database) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = {
      HOME: folder,
      HOST: '127.0.0.1',
      PORT: String(port),
      SECRET: 'bench-secret-of-32-characters-or-more',
      DB_CLIENT: 'pg',
      DB_CONNECTION_STRING: database.url,
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: 'bench-admin-1',
      ADMIN_TOKEN: tokens.admin,
      CACHE_ENABLED: 'false',
      RATE_LIMITER_ENABLED: 'false',
      TELEMETRY: 'false',
      LOG_LEVEL: 'error',
      QUERY_LIMIT_MAX: '-1',
      WEBSOCKETS_ENABLED: 'true',
    };
    const program = join(folder, 'node_modules/directus/cli.js');
    execFileSync(process.execPath, [program, 'bootstrap'], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await database.run(directusRelations);
    const running = await startProcess({
      command: process.execPath,
      args: [program, 'start'],
      cwd: folder,
      env,
      url: `${url}/server/ping`,
    });
    await setUp(url, { rules: false, relations: false });
    return { name: 'directus', dialect: 'items', url, running };
  });
}

async function startPostgraphile(scale) {
  const folder = installPackages('postgraphile@5', 'pg');
  return withDatabase(scale, 'postgraphile', folder, async (database) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const program = join(folder, 'node_modules/postgraphile/dist/cli-run.js');
    const args = [program, '-P', 'postgraphile/presets/amber', '-c', database.url, '-s', 'public', '-n', '127.0.0.1', '-p', String(port)];
    const running = await startProcess({ command: process.execPath, args, cwd: folder, env: { NODE_ENV: 'production' }, url });
    return { name: 'postgraphile', dialect: 'postgraphile', url, running };
  });
}
