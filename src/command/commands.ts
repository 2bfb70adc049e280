// The commands of `tain`. The code of a command is loaded when it runs.

import type { Command } from './command.js';

export const commands: Readonly<Record<string, Command>> = {
  start: {
    usage: 'start [database]',
    about: 'serve a database; without one, the SQLite file ./tain.db',
    maxOperands: 1,
    examples: ['tain start', 'tain start sqlite:./shop.db --port 9000', 'tain start postgres://user:password@localhost/shop'],
    run: async (input) => (await import('./start.js')).start(input),
  },
  demo: {
    usage: 'demo [database]',
    about: 'load a small bookshop to try things on',
    maxOperands: 1,
    examples: ['tain demo', 'tain demo sqlite:./books.db'],
    run: async (input) => (await import('./one-shot.js')).demo(input),
  },
  schema: {
    usage: 'schema snapshot|diff|apply [file]',
    about: 'write the structure down, compare it with a file, make it that of the file',
    maxOperands: 2,
    switches: {
      'dry-run': 'show the statements and change nothing (apply)',
      lossy: 'allow changes that lose data (apply)',
      merge: 'leave alone what the file does not mention (diff, apply)',
    },
    examples: ['tain schema snapshot structure.yaml', 'tain schema diff structure.yaml', 'tain schema apply structure.yaml --dry-run'],
    run: async (input) => (await import('./schema.js')).schema(input),
  },
  types: {
    usage: 'types [file]',
    about: 'write the structure down as TypeScript, for @directus/sdk',
    maxOperands: 1,
    options: { url: 'ask a running service instead of a database', token: 'the token to ask it with' },
    examples: ['tain types schema.ts', 'tain types schema.ts --url https://data.example.com --token TOKEN'],
    run: async (input) => (await import('./one-shot.js')).types(input),
  },
  adopt: {
    usage: 'adopt [database]',
    about: 'take over a database of Directus 11 or 12 in place',
    maxOperands: 1,
    switches: { 'dry-run': 'report what works and what will not, and write nothing (adopt, schema apply)' },
    options: { env: 'the settings of Directus: names the database, and is written as settings of Tain to tain.env beside it' },
    examples: [
      'tain adopt sqlite:./data.db --dry-run',
      'tain adopt postgres://user:password@localhost/shop',
      'tain adopt --env /directus/.env',
    ],
    run: async (input) => (await import('./adopt.js')).adopt(input),
  },
  release: {
    usage: 'release <database>',
    about: 'undo `tain adopt`: the tables are those of Directus alone again',
    maxOperands: 1,
    examples: ['tain release postgres://user:password@localhost/shop'],
    run: async (input) => (await import('./adopt.js')).release(input),
  },
  compare: {
    usage: 'compare --with URL --to URL',
    about: 'ask a running Directus and a running Tain the same reads, and report what differs',
    maxOperands: 0,
    options: {
      with: 'the address of Directus',
      to: 'the address of Tain',
      token: 'a token of an administrator, of Directus and then of Tain; one that both know is given once',
      caller: 'name=token, any number of times: static tokens of other users, who are compared, too',
      requests: 'an access log: its GETs are compared instead of reads derived from the structure',
      report: 'the file of the report (tain-compare.html)',
    },
    examples: [
      'tain compare --with https://cms.example.com --token THEIRS --to http://localhost:8055 --token OURS',
      'tain compare --with https://cms.example.com --to http://localhost:8055 --token BOTH --caller editor=TOKEN --requests access.log',
    ],
    run: async (input) => (await import('./compare/compare.js')).compare(input),
  },
  users: {
    usage: 'users reset-password|token <email>',
    about: 'give a user a new password or static token, shown once',
    maxOperands: 2,
    examples: ['tain users reset-password admin@example.com', 'tain users token admin@example.com --database-url sqlite:./shop.db'],
    run: async (input) => (await import('./one-shot.js')).users(input),
  },
};
