// Builds the service of another revision for `--against <git ref>`, in a temporary folder that shares the packages of this one.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

export function buildRevision(ref) {
  const folder = mkdtempSync(join(tmpdir(), 'tain_bench_'));
  const archive = execFileSync('git', ['archive', '--format=tar', ref], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: 'inherit' });
  if (status === 0) return { dist: join(folder, 'dist'), remove };
  remove();
  throw new Error(`${ref} cannot be built`);
}
