// `tain keys`: the access keys of users, beside the database and without a login.

import { ServiceError } from '../core/errors/service-error.js';
import type { KeyAdministration } from '../service/operations/key-administration.js';
import { CommandError, type CommandInput } from './command.js';
import { withService } from './one-shot.js';

type Act = (keys: KeyAdministration, input: CommandInput, operand: string | undefined) => Promise<string>;

const acts: Readonly<Record<string, Act>> = {
  async list(keys, _input, email) {
    const found = await keys.list(email ?? null);
    if (found === null) throw unknownAddress(email);
    if (found.length === 0) return 'There are no access keys.';
    const lines = found.map(({ id, name, ending, write, policy_name, expires, last_used }) =>
      [id, `…${ending}`, write ? 'write' : 'read', name, policy_name, `expires ${expires ?? 'never'}`, `last used ${last_used ?? 'never'}`]
        .filter((part) => part !== null)
        .join('  '),
    );
    return lines.join('\n');
  },
  async create(keys, { options, switches }, email) {
    const name = options.get('name');
    if (email === undefined || name === undefined) throw usage();
    const made = await keys.create(email, {
      name,
      policy: options.get('policy') ?? null,
      write: switches.has('write'),
      collections: listOf(options.get('collections')),
      addresses: listOf(options.get('addresses')),
      expires: momentOf(options.get('expires')),
    });
    if (made === null) throw unknownAddress(email);
    return `New access key of ${email}, shown only now: ${made.token}`;
  },
  async revoke(keys, _input, id) {
    if (id === undefined) throw usage();
    await keys.revoke(id).catch((error) => {
      if (!(error instanceof ServiceError) || error.code !== 'FORBIDDEN') throw error;
      throw new CommandError(`there is no access key ${id}: tain keys list shows them`);
    });
    return `Revoked: ${id}`;
  },
};

export function keys(input: CommandInput): Promise<void> {
  const [name = '', operand] = input.operands;
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (act === undefined) throw usage();
  return withService({ ...input.config, logLevel: 'error' }, async (service) => {
    console.log(await act((await service.administer()).keys, input, operand));
  });
}

const usage = () => new CommandError('usage: tain keys list [email] | create <email> --name NAME | revoke <id>');

const unknownAddress = (email: string | undefined) => new CommandError(`no account has the address ${email}`);

const listOf = (text: string | undefined): readonly string[] | null => text?.split(',').map((entry) => entry.trim()) ?? null;

function momentOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (Number.isNaN(Date.parse(text))) throw new CommandError(`--expires: "${text}" is no date such as 2030-02-28`);
  return new Date(text).toISOString();
}
