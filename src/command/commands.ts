// The commands of `tain`, each loaded when it is called.

import type { Command } from './command.js';

export const commands: Readonly<Record<string, Command>> = {
  start: {
    usage: 'start [database]',
    about: 'serve a database; without one, the SQLite file ./tain.db',
    maxOperands: 1,
    run: async (input) => (await import('./start.js')).start(input),
  },
  demo: {
    usage: 'demo [database]',
    about: 'load a small bookshop to try things on',
    maxOperands: 1,
    run: async (input) => (await import('./demo.js')).demo(input),
  },
  schema: {
    usage: 'schema snapshot|diff|apply [file] [--dry-run] [--lossy] [--merge]',
    about: 'write the structure down, compare it with a file, make it that of the file',
    maxOperands: 2,
    switches: ['dry-run', 'lossy', 'merge'],
    run: async (input) => (await import('./schema.js')).schema(input),
  },
  types: {
    usage: 'types [file]',
    about: 'write the structure down as TypeScript, for @directus/sdk',
    maxOperands: 1,
    run: async (input) => (await import('./types.js')).types(input),
  },
};
