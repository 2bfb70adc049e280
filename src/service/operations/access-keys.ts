// The access keys of the own account, and those of others for administrators. An access key makes none itself.

import { actions } from '../../core/access/permission.js';
import { grantOf, type SchemaView } from '../../core/access/view.js';
import { forbiddenCollection, invalidPayload } from '../../core/errors/service-error.js';
import type { Schema } from '../../core/schema/schema.js';
import { readUuid } from '../../core/util/read-uuid.js';
import { ownKey } from '../auth/account/own-account.js';
import { allKeys, keysOf, makeOwnKey, type NewKey, renameKey, revokeKey as revoke } from '../auth/account/own-keys.js';
import { idOf } from '../auth/account/sessions-of-user.js';
import { parseQuery } from './carried-values.js';
import { type Call, type Operation, operation } from './operation.js';
import {
  boolean,
  described,
  inPayload,
  key,
  list,
  matching,
  nothing,
  object,
  optional,
  readMembers,
  type TextForm,
  text,
  withDefault,
} from './shape.js';

const accessKeys = { tag: 'account', once: 'never', secret: true } as const;

const mostEntries = 100;

const keyName = text({ maxLength: 100, form: matching(/\S/, 'a name') });

const uuid: TextForm = { expected: 'a UUID', read: readUuid };

const moment: TextForm = {
  expected: 'a moment such as 2030-02-28T13:45:10Z',
  read: (given) => {
    const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(given);
    return isMoment && !Number.isNaN(Date.parse(given)) ? new Date(given).toISOString() : null;
  },
};

const members = {
  id: text(),
  name: text(),
  user: text(),
  ending: described(text(), 'The last characters of its token.'),
  policy: optional(text()),
  policy_name: optional(text()),
  write: boolean,
  collections: optional(list(text())),
  addresses: optional(list(text())),
  expires: optional(text()),
  created: text(),
  last_used: optional(text()),
};

const shownKey = object(members, { name: 'users_access_key' });
const madeKey = object({ ...members, token: described(text(), 'Told now and never again.') }, { name: 'users_made_access_key' });

const newKey = {
  name: keyName,
  policy: described(optional(text({ form: uuid })), 'What the key may do at most: what both this policy and its owner allow.'),
  write: described(withDefault(boolean, false), 'Without it the key is for reading only.'),
  collections: described(optional(list(text({ maxLength: 130 }), { min: 1, max: mostEntries })), 'The only collections that it opens.'),
  addresses: described(
    optional(list(text({ maxLength: 100 }), { min: 1, max: mostEntries })),
    'Addresses, blocks and ranges from which it may be used.',
  ),
  expires: optional(text({ form: moment })),
};

/** What the command line is given for a new key; it may name every collection there is. */
export function readNewKey(given: Readonly<Record<string, unknown>>, schema: Schema): NewKey {
  const key = readMembers(newKey, given, inPayload);
  const collections = key.collections?.map(schema.nameOf) ?? null;
  const unknown = collections?.find((name) => !schema.collections.has(name));
  if (unknown !== undefined) throw invalidPayload(`"collections" names "${unknown}", which is no collection.`);
  return { ...key, collections };
}

export const readMyKeys = operation({
  ...accessKeys,
  id: 'readMyKeys',
  summary: 'The access keys of the own account',
  input: {},
  output: list(shownKey),
  open: ['own-account', 'in-person'],
  run: ({ deps, caller }) => keysOf(deps.auth, ownKey(caller)),
});

export const makeMyKey = operation({
  ...accessKeys,
  id: 'makeMyKey',
  summary: 'Make an access key for a program',
  input: {
    ...newKey,
    password: described(optional(text()), 'Needed unless the login was within the last five minutes.'),
  },
  output: madeKey,
  open: ['own-account', 'in-person'],
  run: async (call, { password, ...asked }) => {
    const { view } = call.caller;
    await expectPolicy(call, asked.policy);
    const collections = asked.collections?.map(view.schema.nameOf) ?? null;
    expectCollections(view, collections ?? []);
    return makeOwnKey(call.deps.auth, call.caller, { ...asked, collections }, password, call.client);
  },
});

/** One of the caller's own policies, or one that the caller may read. */
async function expectPolicy({ deps, caller, work }: Call, policy: string | null): Promise<void> {
  if (policy === null || caller.accountability.policies.includes(policy)) return;
  await deps.reader.item(work, 'service_policies', [policy], parseQuery({ fields: ['id'] }, deps.limits));
}

function expectCollections(view: SchemaView, collections: readonly string[]): void {
  const unknown = collections.find(
    (name) => !view.schema.collections.has(name) || actions.every((action) => grantOf(view, name, action) === null),
  );
  if (unknown !== undefined) throw forbiddenCollection(unknown);
}

export const renameMyKey = operation({
  ...accessKeys,
  id: 'renameMyKey',
  summary: 'Rename an access key of the own account',
  input: { key: text(), name: keyName },
  output: shownKey,
  open: ['own-account', 'in-person'],
  run: ({ deps, caller }, input) => renameKey(deps.auth, ownKey(caller), input.key, input.name),
});

export const revokeMyKey = operation({
  ...accessKeys,
  id: 'revokeMyKey',
  summary: 'Revoke an access key of the own account',
  input: { key: text() },
  output: nothing,
  open: ['own-account', 'in-person'],
  run: ({ deps, caller, client }, input) => revoke(deps.auth, ownKey(caller), input.key, ownKey(caller), client),
});

export const readKeys = operation({
  ...accessKeys,
  id: 'readKeys',
  summary: 'The access keys of all users',
  input: {},
  output: list(shownKey),
  open: ['administrators', 'in-person'],
  run: ({ deps }) => allKeys(deps.auth),
});

export const readKeysOf = operation({
  ...accessKeys,
  id: 'readKeysOf',
  summary: 'The access keys of a user',
  input: { id: key },
  output: list(shownKey),
  open: ['administrators', 'in-person'],
  run: async ({ deps }, { id }) => keysOf(deps.auth, await idOf(deps.auth, String(id))),
});

export const revokeKeyOf = operation({
  ...accessKeys,
  id: 'revokeKeyOf',
  summary: 'Revoke an access key of a user',
  input: { id: key, key: text() },
  output: nothing,
  open: ['administrators', 'in-person'],
  run: async ({ deps, caller, client }, input) =>
    revoke(deps.auth, await idOf(deps.auth, String(input.id)), input.key, caller.accountability.user, client),
});

export const accessKeyOperations: readonly Operation[] = [
  readMyKeys,
  makeMyKey,
  renameMyKey,
  revokeMyKey,
  readKeys,
  readKeysOf,
  revokeKeyOf,
];
