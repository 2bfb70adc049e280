// Runs once before the tests of Studio: finds a Chromium on this machine and builds Studio when its built files are older than its sources.
// Without a browser the tests are not run and the last lines say so; with CI=true that is a failure.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program of the browser; null: there is none here. */
    browser: string | null;
  }
}

const root = fileURLToPath(new URL('../../', import.meta.url));

export default async function setup(project: TestProject): Promise<void> {
  const browser = findBrowser();
  if (browser === null && process.env['CI'] === 'true') throw new Error('not available: Chromium');
  project.provide('browser', browser);
  if (browser !== null && isOutdated()) build();
}

function build(): void {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build-studio.mjs')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('Studio cannot be built');
}

/** The build without windows of its own comes first: it needs half the processor time. */
function findBrowser(): string | null {
  const named = process.env['CHROMIUM'];
  if (named !== undefined) return existsSync(named) ? named : null;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const programs = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  return programs.flatMap((program) => folders.map((folder) => join(folder, program))).find((path) => existsSync(path)) ?? null;
}

function isOutdated(): boolean {
  const built = join(root, 'dist/studio/index.html');
  if (!existsSync(built)) return true;
  const sources = readdirSync(join(root, 'studio'), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.parentPath.includes('node_modules'),
  );
  const newest = Math.max(...sources.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
  return statSync(built).mtimeMs < newest;
}
