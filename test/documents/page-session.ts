// One reader of one page: a folder, a shell that keeps its variables from block to block, and terminals in which something keeps running. `tain` and
// `npx tain` are the built command, `npm create tain` makes a folder, `import 'tain'` the built package. The ports that pages name stand for free ones.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const namedPorts = ['8055', '3000'];
const longestBlockMs = 60_000;

export interface PageSession {
  /** What the block prints on both streams; throws with that when it fails. */
  run(text: string): Promise<string>;
  /** Starts a block that does not end, and waits until its service is ready. */
  keepRunning(text: string): Promise<void>;
  write(name: string, text: string): void;
  /** The page's ports, for what is compared. */
  inPage(text: string): string;
  end(): Promise<void>;
}

export async function openPage(): Promise<PageSession> {
  const folder = mkdtempSync(join(tmpdir(), 'tain_test_page_'));
  const environment = { ...makeTools(folder), TERM: 'dumb', HOME: folder };
  const ports = new Map(await Promise.all(namedPorts.map(async (named) => [named, await freePort()] as const)));
  const replaced = (text: string, pairs: Iterable<readonly [string, string]>): string =>
    [...pairs].reduce((whole, [from, to]) => whole.replaceAll(new RegExp(`(?<![\\d])${from}(?!\\d)`, 'g'), to), text);
  const real = (text: string): string => replaced(text, ports);
  const shell = new Shell(folder, { ...environment, PORT: ports.get('8055') ?? '' });
  const running: ChildProcess[] = [];
  return {
    run: (text) => shell.run(real(text)),
    write: (name, text) => writeFileSync(join(folder, name), real(text)),
    inPage: (text) =>
      replaced(
        text,
        [...ports].map(([named, free]) => [free, named] as const),
      ),
    async keepRunning(text) {
      const variables = await shell.variables();
      running.push(spawn('bash', ['-c', `exec ${real(text)}`], { cwd: folder, env: { ...environment, ...variables }, stdio: 'ignore' }));
      await shell.run(`for i in $(seq 250); do ${isUp(ports)} && break; sleep 0.2; done`);
    },
    async end() {
      shell.end();
      await Promise.all(
        running.map((child) => {
          const gone = new Promise((resolve) => child.once('exit', resolve));
          child.kill();
          return child.exitCode === null ? gone : null;
        }),
      );
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The service says that it is ready, or a program of the page answers. */
const isUp = (ports: ReadonlyMap<string, string>): string =>
  `{ curl -sf localhost:${ports.get('8055')}/server/ready || curl -s localhost:${ports.get('3000')}; } >/dev/null`;

/** Programs of the reader: the command as if it were installed. */
function makeTools(folder: string): { readonly PATH: string } {
  const tools = join(folder, '.tools');
  mkdirSync(tools);
  const command = `exec "${process.execPath}" "${join(root, 'dist/main.js')}" "$@"\n`;
  writeFileSync(join(tools, 'tain'), `#!/bin/sh\n${command}`, { mode: 0o755 });
  writeFileSync(join(tools, 'npx'), `#!/bin/sh\n[ "$1" = tain ] || { echo "npx $1 is not known here"; exit 1; }\nshift\n${command}`, {
    mode: 0o755,
  });
  writeFileSync(join(tools, 'npm'), npmOfReader, { mode: 0o755 });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/tain'), 'dir');
  return { PATH: `${tools}${delimiter}${process.env['PATH']}` };
}

/** Without a registry: `npm create tain`, and in the folder that it has made (`--prefix`) the scripts of its package.json. */
const npmOfReader = `#!/bin/sh
[ "$2" = --prefix ] && cd "$3"
case "$1 $2" in
  'create tain')
    shift 2
    for word; do shift; [ "$word" = -- ] || set -- "$@" "$word"; done
    exec "${process.execPath}" "${join(root, 'create-tain/create-tain.mjs')}" "$@" ;;
  'install --prefix') echo 'up to date' ;;
  'start --prefix') exec tain start ;;
  'run --prefix') exec sh -c "$(node -p 'require("./package.json").scripts[process.argv[1]]' "$4")" ;;
  *) echo "npm $* is not known here"; exit 1 ;;
esac
`;

class Shell {
  readonly #child: ChildProcess;
  #output = '';
  #count = 0;

  constructor(folder: string, environment: Readonly<Record<string, string>>) {
    this.#child = spawn('bash', ['--norc'], { cwd: folder, env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (bytes: Buffer) => {
        this.#output += bytes.toString();
      });
  }

  /** A line that cannot be in an output ends each block, and says whether it failed. */
  async run(text: string): Promise<string> {
    this.#count += 1;
    const end = `end-of-block-${this.#count}`;
    this.#output = '';
    this.#child.stdin?.write(`{ ${text}\n} </dev/null\necho; echo ${end}-$?\n`);
    const deadline = Date.now() + longestBlockMs;
    for (;;) {
      const found = new RegExp(`\\n${end}-(\\d+)\\n`).exec(this.#output);
      if (found !== null) {
        const printed = this.#output.slice(0, found.index);
        if (found[1] !== '0') throw new Error(`exit ${found[1]}: ${printed}`);
        return printed;
      }
      if (Date.now() > deadline) throw new Error(`not over after ${longestBlockMs} ms: ${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** What the blocks before have exported. */
  async variables(): Promise<Readonly<Record<string, string>>> {
    const text = await this.run('env -0 | base64 -w0');
    const pairs = Buffer.from(text.trim(), 'base64').toString().split('\0').filter(Boolean);
    return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
  }

  end(): void {
    this.#child.kill();
  }
}

function freePort(): Promise<string> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? String(address.port) : '';
      server.close(() => resolve(port));
    });
  });
}
