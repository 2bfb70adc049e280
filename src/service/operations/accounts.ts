// Registration and invitations, the second factor, and the ways into an account.

import { acceptInvitation as accept, inviteUsers as invite, inviteByLinks as inviteLinks, maxInvitations } from '../auth/account/invite.js';
import { ownKey } from '../auth/account/own-account.js';
import { register as addUser, admitRegistration, verifyRegistration } from '../auth/account/register.js';
import { endSessionsOfUser, idOf, readSessionsOf } from '../auth/account/sessions-of-user.js';
import { disableCodes, disableCodesOf, enableCodes, generateCodeSecret } from '../auth/account/two-factor.js';
import { passkeysOf, removeOwnPasskey, removePasskeyOf as removeTheirs, renamePasskey } from '../auth/passkeys/own-passkeys.js';
import { addPasskey, registrationOptions } from '../auth/passkeys/register-passkey.js';
import { beginLink, identitiesOf, removeIdentity } from '../auth/providers/own-identities.js';
import { may } from './open-rule.js';
import { type Operation, Outcome, operation } from './operation.js';
import { boolean, described, document, email, key, list, matching, nothing, object, optional, text, withDefault } from './shape.js';

const account = { tag: 'account', once: 'never', secret: true } as const;

const name = optional(text({ maxLength: 50 }));
const address = optional(text({ format: 'uri' }));

export const register = operation({
  ...account,
  id: 'register',
  summary: 'Register',
  input: { email, password: text(), first_name: name, last_name: name, verification_url: address },
  output: nothing,
  open: ['newcomers'],
  admit: ({ auth }, client) => admitRegistration(auth, client),
  // A rollback could not undo the mail.
  once: 'apart',
  run: ({ deps }, input) => addUser(deps.auth, input),
});

export const verifyEmail = operation({
  ...account,
  id: 'verifyEmail',
  summary: 'Verify the address of a registration',
  input: { token: described(text(), 'As the mail said it.') },
  output: nothing,
  open: ['everybody'],
  run: async ({ deps: { auth } }, { token }) => {
    await verifyRegistration(auth, token);
    return new Outcome(undefined, { location: auth.options.publicUrl });
  },
});

export const inviteUsers = operation({
  ...account,
  id: 'inviteUsers',
  summary: 'Invite people by mail',
  input: { email: list(email, { min: 1, max: maxInvitations, lone: true }), role: text(), invite_url: address },
  output: nothing,
  open: [may('create', 'service_users')],
  once: 'apart',
  run: ({ deps, caller }, input) => invite(deps.auth, caller, input),
});

export const inviteByLinks = operation({
  ...account,
  id: 'inviteByLinks',
  summary: 'Invite people by mail, or by links where no mail server is set',
  input: { email: list(email, { min: 1, max: maxInvitations, lone: true }), role: text(), invite_url: address },
  output: list(
    object(
      {
        email: text(),
        mailed: boolean,
        link: optional(described(text(), 'To pass on to this person only. Null: it was sent by mail, or only administrators may have it.')),
      },
      { name: 'users_invite_links' },
    ),
  ),
  open: [may('create', 'service_users')],
  once: 'apart',
  run: ({ deps, caller }, input) => inviteLinks(deps.auth, caller, input),
});

export const acceptInvitation = operation({
  ...account,
  id: 'acceptInvitation',
  summary: 'Accept an invitation',
  input: { token: text(), password: text() },
  output: nothing,
  open: ['everybody'],
  run: ({ deps, client }, input) => accept(deps.auth, input, client),
});

export const generateTfa = operation({
  ...account,
  id: 'generateTfa',
  summary: 'A secret for one-time codes',
  input: {
    password: described(
      optional(text()),
      'Not of accounts that have none, such as those of providers: they need a login within the last five minutes.',
    ),
  },
  output: object({ secret: text(), otpauth_url: text() }, { name: 'users_me_tfa_generate_data' }),
  open: ['own-account', 'in-person'],
  run: ({ deps, caller }, { password }) => generateCodeSecret(deps.auth, caller, password),
});

export const enableTfa = operation({
  ...account,
  id: 'enableTfa',
  summary: 'Ask for a one-time code from now on',
  input: { secret: text(), otp: text() },
  output: nothing,
  open: ['own-account', 'in-person'],
  run: ({ deps, caller }, input) => enableCodes(deps.auth, caller, input),
});

export const disableTfa = operation({
  ...account,
  id: 'disableTfa',
  summary: 'Ask for one-time codes no more',
  input: { otp: text() },
  output: nothing,
  open: ['own-account', 'in-person'],
  run: ({ deps, caller }, { otp }) => disableCodes(deps.auth, caller, otp),
});

export const disableTfaOf = operation({
  ...account,
  id: 'disableTfaOf',
  summary: 'Ask a user for one-time codes no more',
  input: { id: key },
  output: nothing,
  open: ['administrators', 'in-person'],
  run: ({ deps, caller }, { id }) => disableCodesOf(deps.auth, caller, String(id)),
});

const session = object(
  {
    created: text(),
    expires: text(),
    ip: optional(text()),
    user_agent: optional(text()),
    origin: optional(text()),
    current: described(boolean, 'Whether the request belongs to it.'),
  },
  { name: 'users_session' },
);

export const readSessions = operation({
  ...account,
  id: 'readSessions',
  summary: 'Where a user is signed in',
  input: { id: key },
  output: list(session),
  open: ['administrators', 'in-person'],
  run: async ({ deps, caller }, { id }) => readSessionsOf(deps.auth, await idOf(deps.auth, String(id)), caller),
});

export const endSessions = operation({
  ...account,
  id: 'endSessions',
  summary: 'Sign a user out everywhere',
  input: { id: key },
  output: nothing,
  open: ['administrators', 'in-person'],
  run: async ({ deps }, { id }) => endSessionsOfUser(deps.auth, await idOf(deps.auth, String(id)), null),
});

export const readMySessions = operation({
  ...account,
  id: 'readMySessions',
  summary: 'Where one is signed in',
  input: {},
  output: list(session),
  open: ['own-account', 'in-person'],
  run: ({ deps, caller }) => readSessionsOf(deps.auth, ownKey(caller), caller),
});

export const endMySessions = operation({
  ...account,
  id: 'endMySessions',
  summary: 'Sign out everywhere',
  input: { keep: described(withDefault(boolean, true), 'Stay signed in where the request comes from.') },
  output: nothing,
  open: ['own-account', 'in-person'],
  run: ({ deps, caller }, { keep }) => endSessionsOfUser(deps.auth, ownKey(caller), keep ? caller.accountability.session : null),
});

const identity = object(
  { id: text(), provider: text(), email: optional(text()), created: text(), last_used: optional(text()) },
  { name: 'users_identity' },
);

export const readMyIdentities = operation({
  ...account,
  id: 'readMyIdentities',
  summary: 'The providers by which one can log in to the own account',
  input: {},
  output: list(identity),
  open: ['own-account', 'in-person'],
  run: ({ deps, caller }) => identitiesOf(deps.auth, ownKey(caller)),
});

export const addMyIdentity = operation({
  ...account,
  id: 'addMyIdentity',
  summary: 'Go to a provider, to log in by it from then on',
  browser: true,
  input: {
    provider: text(),
    redirect: described(optional(text()), 'Where to go on afterwards.'),
    password: described(optional(text()), 'Needed unless the login was within the last five minutes.'),
  },
  output: text(),
  open: ['own-account', 'in-person'],
  run: async ({ deps, caller, url, client }, input) => {
    const { location, cookies } = await beginLink(deps.signOn, caller, input, url, client);
    return new Outcome(location, { cookies });
  },
});

export const removeMyIdentity = operation({
  ...account,
  id: 'removeMyIdentity',
  summary: 'Log in by a provider no more',
  input: { identity: text() },
  output: nothing,
  open: ['own-account', 'in-person'],
  run: ({ deps, caller }, input) => removeIdentity(deps.auth, ownKey(caller), input.identity, false),
});

export const readIdentities = operation({
  ...account,
  id: 'readIdentities',
  summary: 'The providers by which a user can log in',
  input: { id: key },
  output: list(identity),
  open: ['administrators', 'in-person'],
  run: async ({ deps }, { id }) => identitiesOf(deps.auth, await idOf(deps.auth, String(id))),
});

export const removeIdentityOf = operation({
  ...account,
  id: 'removeIdentityOf',
  summary: 'Let a user log in by a provider no more',
  input: { id: key, identity: text() },
  output: nothing,
  open: ['administrators', 'in-person'],
  run: async ({ deps }, { id, identity: removed }) => removeIdentity(deps.auth, await idOf(deps.auth, String(id)), removed, true),
});

const passkey = object(
  { id: text(), name: text(), backed_up: boolean, created: text(), last_used: optional(text()) },
  { name: 'users_passkey' },
);

const passkeyName = text({ maxLength: 100, form: matching(/\S/, 'a name') });

export const readMyPasskeys = operation({
  ...account,
  id: 'readMyPasskeys',
  summary: 'The passkeys of the own account',
  input: {},
  output: list(passkey),
  open: ['own-account', 'in-person'],
  run: ({ deps, caller }) => passkeysOf(deps.auth, ownKey(caller)),
});

export const readPasskeyOptions = operation({
  ...account,
  id: 'passkeyOptions',
  summary: 'A challenge to add a passkey: the options of `navigator.credentials.create`, bytes as base64url',
  input: { password: described(optional(text()), 'Needed unless the login was within the last five minutes.') },
  output: document(),
  open: ['own-account', 'in-person'],
  run: async (call, { password }) => {
    const { options, cookies } = await registrationOptions(call.deps.signOn, call.caller, password, call);
    return new Outcome(options, { cookies });
  },
});

export const addMyPasskey = operation({
  ...account,
  id: 'addMyPasskey',
  summary: 'Add a passkey to the own account',
  input: {
    name: withDefault(passkeyName, 'Passkey'),
    response: described(document(), 'What `navigator.credentials.create` gave, as JSON.'),
  },
  output: passkey,
  open: ['own-account', 'in-person'],
  run: (call, input) => addPasskey(call.deps.signOn, call.caller, input, call, call.client),
});

export const renameMyPasskey = operation({
  ...account,
  id: 'renameMyPasskey',
  summary: 'Rename a passkey of the own account',
  input: { passkey: text(), name: passkeyName },
  output: passkey,
  open: ['own-account', 'in-person'],
  run: ({ deps, caller }, input) => renamePasskey(deps.auth, ownKey(caller), input.passkey, input.name),
});

export const removeMyPasskey = operation({
  ...account,
  id: 'removeMyPasskey',
  summary: 'Remove a passkey of the own account',
  input: { passkey: text() },
  output: nothing,
  open: ['own-account', 'in-person'],
  run: ({ deps, caller, client }, input) => removeOwnPasskey(deps.auth, caller, input.passkey, client),
});

export const readPasskeys = operation({
  ...account,
  id: 'readPasskeys',
  summary: 'The passkeys of a user',
  input: { id: key },
  output: list(passkey),
  open: ['administrators', 'in-person'],
  run: async ({ deps }, { id }) => passkeysOf(deps.auth, await idOf(deps.auth, String(id))),
});

export const removePasskeyOf = operation({
  ...account,
  id: 'removePasskeyOf',
  summary: 'Remove a passkey of a user',
  input: { id: key, passkey: text() },
  output: nothing,
  open: ['administrators', 'in-person'],
  run: async ({ deps, caller, client }, input) =>
    removeTheirs(deps.auth, await idOf(deps.auth, String(input.id)), input.passkey, caller, client),
});

export const accountOperations: readonly Operation[] = [
  readMyPasskeys,
  readPasskeyOptions,
  addMyPasskey,
  renameMyPasskey,
  removeMyPasskey,
  readPasskeys,
  removePasskeyOf,
  readMySessions,
  endMySessions,
  readMyIdentities,
  addMyIdentity,
  removeMyIdentity,
  readIdentities,
  removeIdentityOf,
  readSessions,
  endSessions,
  register,
  verifyEmail,
  inviteUsers,
  inviteByLinks,
  acceptInvitation,
  generateTfa,
  enableTfa,
  disableTfa,
  disableTfaOf,
];
