// The files of a new folder: what they contain, and how they are written, all of them or none.

import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Refusal } from './refusal.mjs';

/** @typedef {import('./answers.mjs').Answers} Answers */

/** What a folder may contain beforehand. */
const allowed = ['.git'];

/**
 * Throws a refusal unless the folder is missing or empty.
 * @param {string} folder
 */
export function requireFree(folder) {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) throw new Refusal(`${folder} is there already and is no folder`);
  const foreign = readdirSync(folder).filter((name) => !allowed.includes(name));
  if (foreign.length > 0) throw new Refusal(`the folder ${folder} is not empty (${foreign[0]}): name another one`);
}

/**
 * Writes all files, or removes what was made. Returns their names.
 * @param {Answers} answers
 * @param {string} version
 * @returns {readonly string[]}
 */
export function writeFolder(answers, version) {
  const { folder } = answers;
  requireFree(folder);
  const files = contentsOf(answers, version);
  /** @type {string[]} */
  const made = [];
  try {
    const first = mkdirSync(folder, { recursive: true });
    if (first !== undefined) made.push(first);
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name);
      made.push(path);
      writeFileSync(path, text, { flag: 'wx', mode: name === '.env' ? 0o600 : 0o644 });
    }
  } catch (error) {
    for (const path of made.reverse()) rmSync(path, { recursive: true, force: true });
    throw new Refusal(`${folder} cannot be written: ${error instanceof Error ? error.message : error}`);
  }
  return Object.keys(files);
}

/**
 * @param {Answers} answers
 * @param {string} version
 * @returns {Record<string, string>}
 */
function contentsOf({ folder, database, email, password }, version) {
  const name = nameOf(folder);
  const isFile = /^(?:sqlite|file):/i.test(database);
  const moved = isFile ? null : seenFromInside(database);
  return {
    'package.json': packageText(name, version),
    '.env': envText({ database, email, password, moved }),
    'compose.yaml': composeText({ version, isFile, isMoved: moved !== null }),
    '.gitignore': 'node_modules/\n.env\n*.db\n*.db-shm\n*.db-wal\n*.backup\nuploads/\n',
    'README.md': readmeText(name, isFile),
  };
}

/**
 * A name that npm accepts.
 * @param {string} folder
 */
function nameOf(folder) {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name === '' || name === 'tain' ? 'my-tain' : name;
}

/**
 * @param {string} name
 * @param {string} version
 */
function packageText(name, version) {
  const scripts = { start: 'tain start', upgrade: 'tain upgrade', 'upgrade:check': 'tain upgrade --check' };
  const content = { name, private: true, type: 'module', engines: { node: '>=20.19' }, scripts, dependencies: { tain: `^${version}` } };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/**
 * In a container, this machine has another name. null: the address is good there as it is.
 * @param {string} database
 */
function seenFromInside(database) {
  const moved = database.replace(/(:\/\/(?:[^/@]*@)?)(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/])/i, '$1host.docker.internal');
  return moved === database ? null : moved;
}

/** @param {{ database: string, email: string, password: string, moved: string | null }} values */
function envText({ database, email, password, moved }) {
  const lines = [
    '# The settings of Tain, for `npm start` and `docker compose up`: keep this file to yourself. All settings: npx tain --help',
    `DATABASE_URL='${database}'`,
    ...(moved === null ? [] : ['# The same database as a container of this machine sees it.', `CONTAINER_DATABASE_URL='${moved}'`]),
    '# Signs tokens and encrypts stored secrets: without it they cannot be read again.',
    `SECRET='${randomBytes(32).toString('base64url')}'`,
    '# Of the administrator whom the first start makes. Afterwards the password can be removed here.',
    `ADMIN_EMAIL='${email}'`,
    `ADMIN_PASSWORD='${password}'`,
  ];
  return `${lines.join('\n')}\n`;
}

/** @param {{ version: string, isFile: boolean, isMoved: boolean }} kind */
function composeText({ version, isFile, isMoved }) {
  const database = isFile
    ? ['      DATABASE_URL: sqlite:/data/tain.db']
    : isMoved
      ? [`      DATABASE_URL: $\{CONTAINER_DATABASE_URL}`]
      : [];
  const lines = [
    '# docker compose up -d',
    'services:',
    '  tain:',
    `    image: ghcr.io/tain-project/tain:${version}`,
    '    env_file: .env',
    '    environment:',
    '      HOST: 0.0.0.0',
    "      PORT: '8055'",
    ...database,
    '      STORAGE_ROOT: /data/uploads',
    "    ports: ['127.0.0.1:8055:8055']",
    "    volumes: ['data:/data']",
    ...(isMoved ? ["    extra_hosts: ['host.docker.internal:host-gateway']"] : []),
    '    read_only: true',
    '    tmpfs: [/tmp]',
    '    cap_drop: [ALL]',
    "    security_opt: ['no-new-privileges:true']",
    '    stop_grace_period: 20s',
    '    restart: unless-stopped',
    '',
    'volumes: { data: {} }',
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * @param {string} name
 * @param {boolean} isFile
 */
function readmeText(name, isFile) {
  const inContainer = isFile
    ? 'In the container the database is a file of its own, in the volume `data`. `npx tain backup FILE` and `tain restore FILE` carry one into the other.'
    : 'It serves the same database; uploaded files are in the volume `data`.';
  return `# ${name}

    npm install
    npm start

Tain listens on http://127.0.0.1:8055; a browser finds Studio there. Sign in with ADMIN_EMAIL and ADMIN_PASSWORD of \`.env\`. The settings are
in that file, too: \`npx tain --help\` lists them. It holds secrets and stays out of Git, but keep a copy of SECRET.

With Docker: \`docker compose up -d\`. ${inContainer}

## Upgrade

    npm install tain@latest
    npm run upgrade:check
    npm start

\`upgrade:check\` says what the new version changes in the tables of the service, and writes nothing; the start does it. Before, write a
backup: \`npx tain backup before.backup\`. In \`compose.yaml\` the version is that of the image.
`;
}
