// A directory of its own for a test: `slapd` on a free port, with its data in a temporary folder; never the one of the system.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, freePort } from './throw-away-server.js';

export interface Directory {
  readonly url: string;
  /** The same over TLS; null: it has no certificate. */
  readonly secureUrl: string | null;
  stop(): Promise<void>;
}

export const directoryAdmin = { dn: 'cn=admin,dc=example,dc=org', password: 'the password of the directory' };

/** null where slapd is not installed. */
export const findDirectoryProgram = (): string | null => findProgram('slapd');

/** Of the packages of Debian, and of others. */
const firstOf = (...places: readonly string[]): string => places.find((place) => existsSync(place)) ?? '';

/** Of `test/fixtures/tls`: self-signed. */
export const certificateFile = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));

/** `certificate`: the name of one, with which it also serves TLS, on its own port and by StartTLS. */
export async function startDirectory(program: string, ldif: string, certificate: string | null = null): Promise<Directory> {
  const folder = mkdtempSync(join(tmpdir(), 'tain_test_directory_'));
  const schemas = firstOf('/etc/ldap/schema', '/etc/openldap/schema');
  const modules = firstOf('/usr/lib/ldap', '/usr/lib64/openldap', '/usr/lib/openldap');
  mkdirSync(join(folder, 'data'));
  const configuration = [
    ...['core', 'cosine', 'inetorgperson', 'nis'].map((name) => `include ${schemas}/${name}.schema`),
    ...(modules === '' ? [] : [`modulepath ${modules}`, 'moduleload back_mdb']),
    // As many servers are: a bind without a password passes for an anonymous one.
    'allow bind_anon_cred',
    `pidfile ${folder}/pid`,
    ...(certificate === null
      ? []
      : [`TLSCertificateFile ${certificateFile(`${certificate}.crt`)}`, `TLSCertificateKeyFile ${certificateFile(`${certificate}.key`)}`]),
    'database mdb',
    'suffix "dc=example,dc=org"',
    `rootdn "${directoryAdmin.dn}"`,
    `rootpw "${directoryAdmin.password}"`,
    `directory ${folder}/data`,
    'access to attrs=userPassword by anonymous auth by * none',
    'access to * by * read',
  ];
  writeFileSync(join(folder, 'slapd.conf'), `${configuration.join('\n')}\n`);
  writeFileSync(join(folder, 'data.ldif'), ldif);
  execFileSync(program, ['-T', 'add', '-f', join(folder, 'slapd.conf'), '-l', join(folder, 'data.ldif')], { stdio: 'ignore' });
  const port = await freePort();
  const url = `ldap://127.0.0.1:${port}`;
  const secureUrl = certificate === null ? null : `ldaps://127.0.0.1:${await freePort()}`;
  const server = spawn(program, ['-h', secureUrl === null ? url : `${url} ${secureUrl}`, '-f', join(folder, 'slapd.conf'), '-d', '0'], {
    stdio: 'ignore',
  });
  await untilAnswering(server, port);
  return {
    url,
    secureUrl,
    async stop() {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilAnswering(server: ChildProcess, port: number): Promise<void> {
  const until = Date.now() + 30_000;
  while (!(await isAnswering(port))) {
    if (Date.now() > until || server.exitCode !== null) throw new Error('slapd did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const isAnswering = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket
      .once('error', () => resolve(false))
      .once('connect', () => {
        socket.destroy();
        resolve(true);
      });
  });
