// `npm run lint:oas`: lints the OpenAPI description of the demo bookshop with @redocly/cli, which npx downloads if necessary, as an
// administrator and as an anonymous caller see it.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService } from '../src/tain.ts';

const folder = mkdtempSync(join(tmpdir(), 'tain-oas-'));
const adminToken = 'lint-oas';
const service = await createService({
  databaseUrl: `sqlite:${folder}/tain.db`,
  adminToken,
  adminPassword: 'only for linting',
  logLevel: 'error',
});

async function lint(name, headers) {
  const { payload } = await service.inject({ url: '/server/specs/oas', headers });
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(JSON.parse(payload), null, 2));
  return spawnSync('npx', ['--yes', '@redocly/cli@latest', 'lint', file], { stdio: 'inherit' }).status ?? 1;
}

try {
  await service.loadDemo();
  const failures = [await lint('administrator', { authorization: `Bearer ${adminToken}` }), await lint('anonymous', {})];
  process.exitCode = Math.max(...failures);
} finally {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}
