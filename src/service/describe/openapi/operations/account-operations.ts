// The caller's own account, and how accounts come to be.

import { may } from '../asker.js';
import { any, group, listOf, object, open, switchSchema, text } from '../fixed-operation.js';
import { data, nothing } from '../operation.js';
import { itemParameters, writtenParameters } from '../parameters.js';

const address = { type: 'string', format: 'uri' };
const access = object({ access: switchSchema });
const onItem = data(object({ update: access, delete: access, share: access }));
const [newcomers, users, known] = [open('newcomers'), open('users'), open('known')];

export const accountOperations = group('account', {
  readMe: known('get /users/me', 'The own user', { parameters: itemParameters, answer: data(any) }),
  updateMe: open('users', may('update', 'service_users'))('patch /users/me', 'Update the own user', {
    parameters: [...writtenParameters, 'idempotency'],
    body: any,
    answer: data(any),
  }),
  trackPage: users('patch /users/me/track/page', 'Keep the page last visited', {
    body: object({ last_page: text }, 'last_page'),
    answer: nothing,
  }),
  readMyRoles: users('get /roles/me', 'The own roles', { answer: data(listOf(any)) }),
  readMyGlobals: open('everybody')('get /policies/me/globals', 'What the own policies say as a whole', {
    answer: data(object({ app_access: switchSchema, admin_access: switchSchema, enforce_tfa: switchSchema })),
  }),
  readMyPermissions: known('get /permissions/me', 'What one may do', { answer: data(any) }),
  readMyPermissionsOn: known('get /permissions/me/{collection}', 'What one may do with a collection', { answer: onItem }),
  readMyPermissionsOnItem: known('get /permissions/me/{collection}/{id}', 'What one may do with an item', { answer: onItem }),
  generateTfa: users('post /users/me/tfa/generate', 'A secret for one-time codes', {
    body: object({ password: text }, 'password'),
    answer: data(object({ secret: text, otpauth_url: text })),
  }),
  enableTfa: users('post /users/me/tfa/enable', 'Ask for a one-time code from now on', {
    body: object({ secret: text, otp: text }, 'secret', 'otp'),
    answer: nothing,
  }),
  disableTfa: users('post /users/me/tfa/disable', 'Ask for one-time codes no more', {
    body: object({ otp: text }, 'otp'),
    answer: nothing,
  }),
  disableTfaOf: open('administrators')('post /users/{id}/tfa/disable', 'Ask a user for one-time codes no more', { answer: nothing }),
  inviteUsers: open(may('create', 'service_users'))('post /users/invite', 'Invite people by mail', {
    parameters: ['idempotency'],
    body: object({ email: { oneOf: [text, listOf(text)] }, role: text, invite_url: address }, 'email', 'role'),
    answer: nothing,
  }),
  acceptInvitation: open('everybody')('post /users/invite/accept', 'Accept an invitation', {
    body: object({ token: text, password: text }, 'token', 'password'),
    answer: nothing,
  }),
  register: newcomers('post /users/register', 'Register', {
    parameters: ['idempotency'],
    body: object({ email: text, password: text, first_name: text, last_name: text, verification_url: address }, 'email', 'password'),
    answer: nothing,
  }),
  verifyEmail: newcomers('get /users/register/verify-email', 'Verify the address of a registration', {
    parameters: ['token'],
    answer: { status: '302', type: '', schema: null },
  }),
});
