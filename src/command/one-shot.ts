// The commands that open a database, do one thing and end: `tain demo`, `tain types` and `tain users`.

import { writeFile } from 'node:fs/promises';
import { withoutPassword } from '../config.js';
import type { UserAdministration } from '../service/auth/account/user-administration.js';
import { describeTypes } from '../service/describe/describe-types.js';
import { type Config, createService, type Service } from '../tain.js';
import { CommandError, type CommandInput } from './command.js';

/** Runs `work` on a service that does not listen, and closes it. */
export async function withService<T>(config: Config, work: (service: Service) => Promise<T>): Promise<T> {
  const service = await createService(config);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

/** Loads the bookshop into a database; installs the system tables first where they are missing. */
export function demo({ config, operands }: CommandInput): Promise<void> {
  const [databaseUrl = config.databaseUrl] = operands;
  return withService({ ...config, databaseUrl }, async (service) => {
    const { administrator } = await service.ready();
    const result = await service.loadDemo();
    if (result.kind === 'refused') throw new CommandError(`nothing loaded: the database already has ${result.taken.join(', ')}`);
    console.log(`Loaded ${result.collections.join(', ')}.`);
    if (administrator?.generatedPassword != null) {
      console.log(`Administrator: ${administrator.email}, password ${administrator.generatedPassword} (shown only now)`);
    }
    console.log(`Next: tain start ${withoutPassword(databaseUrl)}   then try   /items/${result.collections[0]}?fields=*.*`);
  });
}

interface UserAction {
  readonly what: string;
  readonly run: (users: UserAdministration, email: string) => Promise<string | null>;
}

const userActions: Readonly<Record<string, UserAction>> = {
  'reset-password': { what: 'password', run: (administration, email) => administration.resetPassword(email) },
  token: { what: 'static token', run: (administration, email) => administration.createToken(email) },
};

/** Gives a user a new password or static token. */
export function users({ config, operands }: CommandInput): Promise<void> {
  const [name = '', email] = operands;
  const action = Object.hasOwn(userActions, name) ? userActions[name] : undefined;
  if (action === undefined || email === undefined) throw new CommandError('usage: tain users reset-password|token <email>');
  return withService({ ...config, logLevel: 'error' }, async (service) => {
    const administration = await service.administer();
    const made = await action.run(administration.users, email);
    if (made === null) throw new CommandError(`no account has the address ${email}`);
    console.log(`New ${action.what} of ${email}, shown only now: ${made}`);
  });
}

/** Writes what a client may read as TypeScript, from the database itself or from a running service. */
export async function types(input: CommandInput): Promise<void> {
  const [file] = input.operands;
  const url = input.options.get('url');
  const text = url === undefined ? await describeDatabase(input) : await askService(url, input.options.get('token'));
  if (file === undefined) console.log(text);
  else await writeFile(file, text);
}

function describeDatabase({ config, options }: CommandInput): Promise<string> {
  if (options.has('token')) throw new CommandError('--token belongs to --url: which service is meant?');
  return withService(config, async (service) => {
    const { caller } = await service.administer();
    return describeTypes(caller().view);
  });
}

const requestTimeoutMs = 30_000;

async function askService(url: string, token: string | undefined): Promise<string> {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new CommandError(`--url: "${url}" is no address beginning with http:// or https://`);
  const place = `${url.replace(/\/+$/, '')}/server/specs/types`;
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(place, { headers, signal: AbortSignal.timeout(requestTimeoutMs) }).catch((error: unknown) => {
    throw new CommandError(`${url} cannot be reached: ${String((error as Error).cause ?? error)}`);
  });
  if (!answer.ok)
    throw new CommandError(
      `${place} answered ${answer.status}${answer.status === 401 || answer.status === 403 ? ': is the token right?' : ''}`,
    );
  return answer.text();
}
