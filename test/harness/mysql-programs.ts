// A mysqld of MySQL where none is installed: Debian has it in its unstable suite only, so its packages and the libraries they need are fetched from
// the mirror that apt uses, without installing anything, and unpacked into a cache folder outside of the project. It runs with its own libraries and needs
// neither root nor a chroot.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { findProgram } from './throw-away-server.js';

/** Root's own folder cannot be read by the user that its servers run as. */
const cacheFolder = (): string => {
  if (process.getuid?.() === 0) return '/var/cache/tain-mysql';
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tain-mysql');
};

/** The path of a mysqld: the installed one, or one that was fetched now or before. Throws with a sentence that says what to install. */
export function provideMysqld(): string {
  const installed = findProgram('mysqld');
  // MariaDB's packages have a program of that name.
  if (installed !== null && !/mariadb/i.test(versionOf(installed))) return installed;
  const folder = cacheFolder();
  const launcher = join(folder, 'mysqld');
  if (!existsSync(launcher)) fetchInto(folder);
  return launcher;
}

export const versionOf = (mysqld: string): string => execFileSync(mysqld, ['--no-defaults', '--version'], { encoding: 'utf8' }).trim();

/** Under another name until it is complete, so that an interrupted attempt leaves nothing that looks like a server. */
function fetchInto(folder: string): void {
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb'))
    throw new Error(
      "there is no mysqld of MySQL here, and it can be fetched on Debian only: install Oracle's MySQL so that mysqld is in the PATH",
    );
  mkdirSync(dirname(folder), { recursive: true });
  const work = mkdtempSync(`${folder}-`);
  try {
    chmodSync(work, 0o755);
    fetchPackages(work);
    unpack(work);
    rmSync(folder, { recursive: true, force: true });
    renameSync(work, folder);
    writeLauncher(folder);
  } catch (error) {
    const told = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new Error(`MySQL cannot be fetched from ${findMirror().uri} (suite sid): ${told.split('\n').slice(-3).join(' ')}`, {
      cause: error,
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Resolves the packages against an empty machine, so that every library comes along, whichever release this one has. */
function fetchPackages(work: string): void {
  const { uri, keyring } = findMirror();
  for (const path of ['state/lists/partial', 'cache/archives/partial']) mkdirSync(join(work, path), { recursive: true });
  writeFileSync(join(work, 'state/status'), '');
  writeFileSync(join(work, 'sources.list'), `deb ${keyring === null ? '' : `[signed-by=${keyring}] `}${uri} sid main\n`);
  const settings = {
    'Dir::State': join(work, 'state'),
    'Dir::State::status': join(work, 'state/status'),
    'Dir::Cache': join(work, 'cache'),
    'Dir::Etc::sourcelist': join(work, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'APT::Install-Recommends': 'false',
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '3',
    'Debug::NoLocking': 'true',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  run('apt-get', ['-qq', ...options, 'update']);
  run('apt-get', ['-qq', '-y', ...options, '--download-only', 'install', 'mysql-server-core']);
}

function unpack(work: string): void {
  const archives = join(work, 'cache/archives');
  for (const file of readdirSync(archives)) if (file.endsWith('.deb')) run('dpkg-deb', ['-x', join(archives, file), join(work, 'root')]);
  for (const path of ['state', 'cache', 'sources.list', 'root/usr/share/doc', 'root/usr/share/perl'])
    rmSync(join(work, path), { recursive: true, force: true });
}

/** A script, so that the rest of the harness starts it like an installed program. */
function writeLauncher(folder: string): void {
  const root = join(folder, 'root/usr');
  const libraries = readdirSync(join(root, 'lib'))
    .map((name) => join(root, 'lib', name))
    .find((path) => readdirSyncOrNone(path).some((name) => name.startsWith('ld-linux')));
  const loader = readdirSyncOrNone(libraries ?? '').find((name) => name.startsWith('ld-linux'));
  if (libraries === undefined || loader === undefined) throw new Error('the packages contain no loader of programs');
  const options = [`--basedir=${root}`, `--lc-messages-dir=${root}/share/mysql`, `--character-sets-dir=${root}/share/mysql/charsets`];
  // --no-defaults has to be the first option, so those of the launcher follow the caller's.
  const line = `exec "${libraries}/${loader}" --library-path "${libraries}" "${root}/sbin/mysqld" "$@" ${options.map((option) => `"${option}"`).join(' ')}`;
  writeFileSync(join(folder, 'mysqld'), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
}

function readdirSyncOrNone(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

const run = (program: string, programArguments: readonly string[]): void => {
  execFileSync(program, programArguments, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 300_000, env: { ...process.env, LC_ALL: 'C' } });
};

/** Debian's mirror among the sources of apt, which may name others, too; else the one that serves every machine. */
function findMirror(): { readonly uri: string; readonly keyring: string | null } {
  const folder = '/etc/apt/sources.list.d';
  const files = ['/etc/apt/sources.list', ...readdirSyncOrNone(folder).map((name) => join(folder, name))];
  const lines = files.filter((path) => existsSync(path)).flatMap((path) => readFileSync(path, 'utf8').split('\n'));
  const uris = lines.flatMap((line) => /^(?:deb (?:\[[^\]]*\] *)?|URIs: *)(\S+)/.exec(line)?.[1] ?? []);
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
  return {
    uri: uris.find((uri) => /\/debian\/?$/.test(uri)) ?? 'http://deb.debian.org/debian',
    keyring: existsSync(keyring) ? keyring : null,
  };
}
