// Finds the extensions of a service: those an embedding application hands over, and those that EXTENSIONS names as files, folders and packages.
// They are loaded once, at the start; a fault in one is said with its file and stops the start, unless the operator wants it left out.

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { faultsOf } from './check-extension.js';
import { describeEndpoints } from './endpoints.js';
import type { Extension } from './extension.js';

export interface FoundExtension {
  readonly extension: Extension;
  /** The file it came from, relative to the working directory; `createService` for those handed over. */
  readonly source: string;
}

export interface LoadedFiles {
  /** In the order of their names. */
  readonly found: readonly FoundExtension[];
  /** What could not be loaded and why, a sentence each. */
  readonly faults: readonly string[];
}

const handedOver = 'createService';

/** `own`: the module that extensions get when they import this package. */
export async function loadExtensions(named: readonly string[], given: readonly Extension[], own: string): Promise<LoadedFiles> {
  const faults: string[] = [];
  const found: FoundExtension[] = [];
  const add = (value: unknown, source: string): void => {
    const wrong = faultsOf(value);
    if (wrong.length === 0) found.push({ extension: value as Extension, source });
    faults.push(...wrong.map((fault) => `${source}: ${fault}`));
  };
  for (const extension of given) add(extension, handedOver);
  if (named.length > 0) provideOwnModule(own);
  for (const name of named)
    for (const file of filesOf(name, faults)) {
      const loaded = await load(file);
      if (loaded.fault === null) add(loaded.value, shown(file));
      else faults.push(`${shown(file)}${loaded.fault}`);
    }
  const { kept, clashes } = withoutClashes(found.toSorted((one, other) => (one.extension.name < other.extension.name ? -1 : 1)));
  return { found: kept, faults: [...faults, ...clashes] };
}

/** A file, a folder of files and packages, or a package that is installed here. */
function filesOf(name: string, faults: string[]): readonly string[] {
  const path = resolve(name);
  if (existsSync(path)) return statSync(path).isDirectory() ? filesIn(path) : [path];
  if (!/^(?:@[^/]+\/)?[^./\\][^/\\]*$/.test(name)) {
    faults.push(`EXTENSIONS: "${name}" does not exist`);
    return [];
  }
  try {
    return [createRequire(join(process.cwd(), 'package.json')).resolve(name)];
  } catch {
    faults.push(`EXTENSIONS: "${name}" is no file or folder here, and no package that is installed: npm install ${name}`);
    return [];
  }
}

const moduleName = /\.(?:js|mjs)$/;

/** The modules of a folder, and of its own folders those that say what their main file is. A folder may be a package itself. */
function filesIn(folder: string): readonly string[] {
  const own = mainOf(folder);
  if (own !== null) return [own];
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : (mainOf(path) ?? []);
      return moduleName.test(entry.name) && !/\.test\.m?js$/.test(entry.name) ? [path] : [];
    });
}

/** null: the folder is no package. */
function mainOf(folder: string): string | null {
  const description = join(folder, 'package.json');
  if (!existsSync(description)) return null;
  try {
    return createRequire(description).resolve(folder);
  } catch {
    return join(folder, 'index.js');
  }
}

type Loaded = { readonly value: unknown; readonly fault: null } | { readonly fault: string };

async function load(file: string): Promise<Loaded> {
  try {
    const module = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
    if (module.default === undefined) return { fault: ': has no default export: export default defineExtension({ … })' };
    return { value: module.default, fault: null };
  } catch (error) {
    const line = error instanceof SyntaxError ? await lineOfSyntaxError(file) : lineOf(file, error);
    const message = error instanceof Error ? error.message : String(error);
    return { fault: `${line === null ? '' : `:${line}`}: ${message.split('\n', 1)[0]}` };
  }
}

/** Where in the file it was thrown. */
function lineOf(file: string, error: unknown): string | null {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const at = stack.indexOf(pathToFileURL(file).href);
  return at < 0 ? null : (/^:(\d+)/.exec(stack.slice(at + pathToFileURL(file).href.length))?.[1] ?? null);
}

/** An error of syntax in an imported module does not say where it is; a check of the file alone does. */
function lineOfSyntaxError(file: string): Promise<string | null> {
  return new Promise((done) => {
    execFile(process.execPath, ['--check', file], { timeout: 5_000 }, (_error, _output, said) => {
      done(/:(\d+)\r?\n/.exec(said)?.[1] ?? null);
    });
  });
}

/** Extensions import `tain`, which may not be installed where they lie, and must not be a second copy of this service. */
function provideOwnModule(own: string): void {
  const hook = `export const resolve = (name, context, next) => name === 'tain' ? { url: ${JSON.stringify(own)}, shortCircuit: true } : next(name, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}

const shown = (file: string): string => {
  const path = relative(process.cwd(), file);
  return path.startsWith(`..${sep}`) ? file : path;
};

/** Of two with the same name, or with the same endpoint, the first stays. */
function withoutClashes(found: readonly FoundExtension[]): {
  readonly kept: readonly FoundExtension[];
  readonly clashes: readonly string[];
} {
  const [names, ids] = [new Map<string, string>(), new Map<string, string>()];
  const clashes: string[] = [];
  const kept = found.filter(({ extension, source }) => {
    const { name } = extension;
    const other = names.get(name);
    if (other !== undefined) clashes.push(`${source}: the extension of ${other} is called "${name}" as well; rename one of them`);
    const described = describeEndpoints(extension);
    const taken = described.filter(({ id }, index) => ids.has(id) || described.findIndex((one) => one.id === id) !== index);
    clashes.push(
      ...taken.map(({ id, method, path }) => `${source}: ${method} ${path} is called ${id}, as another endpoint is; give it another id`),
    );
    if (other !== undefined || taken.length > 0) return false;
    names.set(name, source);
    for (const { id } of described) ids.set(id, source);
    return true;
  });
  return { kept, clashes };
}
