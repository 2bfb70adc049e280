// Starts what is measured: the service as users start it, and the bare handler. Also counts the statements of a request.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { freePort, startProcess } from './processes.mjs';
import { requestOf, tokens } from './workloads.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

/** `dist`: the build of this tree or of another revision. */
export async function startTain({ name = 'tain', database, dist = join(root, 'dist'), history = false, env = {} }) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'tain_bench_'));
  const url = `http://127.0.0.1:${port}`;
  const running = await startProcess({
    command: process.execPath,
    args: [join(dist, 'main.js'), 'start', database.url],
    cwd: folder,
    env: {
      PORT: String(port),
      ADMIN_TOKEN: tokens.admin,
      ADMIN_PASSWORD: 'bench-admin-1',
      RATE_LIMIT: 'off',
      HISTORY: history ? 'on' : 'off',
      LOG_LEVEL: 'error',
      WORKERS: '1',
      ...env,
    },
    url: `${url}/server/info`,
  });
  const stop = async () => {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { name, dialect: 'items', url, pid: running.pid, databasePid: database.serverPid, stop };
}

export async function startBare({ name = 'bare', database, env = {} }) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = fileURLToPath(new URL('bare-handler.mjs', import.meta.url));
  const running = await startProcess({
    command: process.execPath,
    args: [program, database.url, String(port)],
    cwd: root,
    env,
    url: `${url}/a?5`,
  });
  return { name, dialect: 'bare', url, pid: running.pid, databasePid: database.serverPid, stop: running.stop };
}

/** The statements of one warm request per workload: the least of a few counts, since the service polls for changes in between. */
export async function countStatements(databaseUrl, workloads) {
  const { createService } = await import(pathToFileURL(join(root, 'dist', 'tain.js')).href);
  const service = await createService({ databaseUrl, history: false, rateLimit: null, logLevel: 'silent' });
  const counts = new Map();
  try {
    await service.ready();
    for (const workload of workloads) {
      const found = [];
      for (let variant = 0; variant < 5; variant += 1) {
        const { method, path, headers, body } = requestOf('items', workload, variant);
        const before = service.statements();
        await service.inject({ method, url: path, headers, ...(body === null ? {} : { payload: body }) });
        found.push(service.statements() - before);
      }
      counts.set(workload, Math.min(...found));
    }
  } finally {
    await service.close();
  }
  return counts;
}
