// /auth, /shares and what /users has besides its items.

import * as accessKeys from '../../../service/operations/access-keys.js';
import * as accounts from '../../../service/operations/accounts.js';
import {
  readMe,
  readMyGlobals,
  readMyPermissions,
  readMyPermissionsOnItem,
  readMyRoles,
  trackPage,
  updateMe,
} from '../../../service/operations/own.js';
import * as providers from '../../../service/operations/providers.js';
import * as shares from '../../../service/operations/shares.js';
import * as signIn from '../../../service/operations/sign-in.js';
import * as signOn from '../../../service/operations/sign-on.js';
import { queryOf } from '../../http/request/url-query.js';
import type { RestRoute } from './rest-route.js';

export const accountRoutes: readonly RestRoute[] = [
  { operation: signIn.readProviders, method: 'GET', path: '/auth', answer: { kind: 'content', type: 'application/json' } },
  { operation: providers.readKeptProviders, method: 'GET', path: '/auth/providers' },
  { operation: providers.createProvider, method: 'POST', path: '/auth/providers' },
  { operation: providers.tryProvider, method: 'POST', path: '/auth/providers/try' },
  { operation: providers.updateProvider, method: 'PATCH', path: '/auth/providers/{name}' },
  { operation: providers.deleteProvider, method: 'DELETE', path: '/auth/providers/{name}' },
  { operation: signIn.login, method: 'POST', path: '/auth/login' },
  { operation: signIn.loginByProvider, method: 'POST', path: '/auth/login/{provider}' },
  { operation: signIn.readPasskeyLoginOptions, method: 'POST', path: '/auth/passkey/options' },
  { operation: signIn.loginByPasskey, method: 'POST', path: '/auth/passkey' },
  { operation: signOn.beginSignOn, method: 'GET', path: '/auth/login/{provider}', answer: { kind: 'redirect' } },
  {
    operation: signOn.completeSignOn,
    method: 'GET',
    path: '/auth/login/{provider}/callback',
    headed: { accept: 'accept' },
    answer: { kind: 'redirect' },
  },
  {
    operation: signOn.endByProvider,
    method: 'POST',
    path: '/auth/login/{provider}/backchannel-logout',
    form: 'urlencoded',
    answer: { kind: 'empty' },
  },
  {
    operation: signOn.completeSamlSignOn,
    method: 'POST',
    path: '/auth/login/{provider}/acs',
    form: 'returned',
    headed: { accept: 'accept' },
    answer: { kind: 'redirect' },
  },
  {
    operation: signOn.readSamlMetadata,
    method: 'GET',
    path: '/auth/login/{provider}/metadata',
    answer: { kind: 'content', type: 'application/xml' },
  },
  {
    operation: signOn.endBySaml,
    method: 'GET',
    path: '/auth/login/{provider}/logout',
    read: (request) => ({ query: queryOf(request) }),
    answer: { kind: 'redirect' },
  },
  { operation: signOn.logoutByProvider, method: 'POST', path: '/auth/login/{provider}/logout' },
  { operation: signOn.resolveRedirect, method: 'POST', path: '/utils/resolve-redirect' },
  { operation: signIn.refresh, method: 'POST', path: '/auth/refresh' },
  { operation: signIn.logout, method: 'POST', path: '/auth/logout' },
  { operation: signIn.requestPasswordReset, method: 'POST', path: '/auth/password/request' },
  { operation: signIn.resetPassword, method: 'POST', path: '/auth/password/reset' },
  { operation: shares.openShare, method: 'POST', path: '/shares/auth' },
  { operation: shares.inviteToShare, method: 'POST', path: '/shares/invite' },
  { operation: shares.readShareInfo, method: 'GET', path: '/shares/info/{id}' },
  { operation: accounts.register, method: 'POST', path: '/users/register' },
  { operation: accounts.verifyEmail, method: 'GET', path: '/users/register/verify-email', answer: { kind: 'redirect' } },
  { operation: accounts.inviteUsers, method: 'POST', path: '/users/invite' },
  { operation: accounts.inviteByLinks, method: 'POST', path: '/users/invite/links' },
  { operation: accounts.acceptInvitation, method: 'POST', path: '/users/invite/accept' },
  { operation: accounts.generateTfa, method: 'POST', path: '/users/me/tfa/generate' },
  { operation: accounts.enableTfa, method: 'POST', path: '/users/me/tfa/enable' },
  { operation: accounts.disableTfa, method: 'POST', path: '/users/me/tfa/disable' },
  { operation: accounts.readMyPasskeys, method: 'GET', path: '/users/me/passkeys' },
  { operation: accounts.readPasskeyOptions, method: 'POST', path: '/users/me/passkeys/options' },
  { operation: accounts.addMyPasskey, method: 'POST', path: '/users/me/passkeys' },
  { operation: accounts.renameMyPasskey, method: 'PATCH', path: '/users/me/passkeys/{passkey}' },
  { operation: accounts.removeMyPasskey, method: 'DELETE', path: '/users/me/passkeys/{passkey}' },
  { operation: accounts.readPasskeys, method: 'GET', path: '/users/{id}/passkeys' },
  { operation: accounts.removePasskeyOf, method: 'DELETE', path: '/users/{id}/passkeys/{passkey}' },
  { operation: accessKeys.readMyKeys, method: 'GET', path: '/users/me/keys' },
  { operation: accessKeys.makeMyKey, method: 'POST', path: '/users/me/keys' },
  { operation: accessKeys.renameMyKey, method: 'PATCH', path: '/users/me/keys/{key}' },
  { operation: accessKeys.revokeMyKey, method: 'DELETE', path: '/users/me/keys/{key}' },
  { operation: accessKeys.readKeys, method: 'GET', path: '/users/keys' },
  { operation: accessKeys.readKeysOf, method: 'GET', path: '/users/{id}/keys' },
  { operation: accessKeys.revokeKeyOf, method: 'DELETE', path: '/users/{id}/keys/{key}' },
  { operation: accounts.readMySessions, method: 'GET', path: '/users/me/sessions' },
  { operation: accounts.endMySessions, method: 'POST', path: '/users/me/sessions/end' },
  { operation: accounts.readMyIdentities, method: 'GET', path: '/users/me/identities' },
  { operation: accounts.addMyIdentity, method: 'POST', path: '/users/me/identities' },
  { operation: accounts.removeMyIdentity, method: 'DELETE', path: '/users/me/identities/{identity}' },
  { operation: accounts.readIdentities, method: 'GET', path: '/users/{id}/identities' },
  { operation: accounts.removeIdentityOf, method: 'DELETE', path: '/users/{id}/identities/{identity}' },
  { operation: accounts.readSessions, method: 'GET', path: '/users/{id}/sessions' },
  { operation: accounts.endSessions, method: 'POST', path: '/users/{id}/sessions/end' },
  { operation: accounts.disableTfaOf, method: 'POST', path: '/users/{id}/tfa/disable' },
];

/** What callers may know and do about themselves. */
export const ownRoutes: readonly RestRoute[] = [
  { operation: readMe, method: 'GET', path: '/users/me' },
  { operation: updateMe, method: 'PATCH', path: '/users/me', body: 'data', query: ['query'], headed: { match: 'if-match' } },
  { operation: trackPage, method: 'PATCH', path: '/users/me/track/page' },
  { operation: readMyRoles, method: 'GET', path: '/roles/me' },
  { operation: readMyGlobals, method: 'GET', path: '/policies/me/globals' },
  { operation: readMyPermissions, method: 'GET', path: '/permissions/me' },
  {
    operation: readMyPermissionsOnItem,
    method: 'GET',
    path: '/permissions/me/{collection}',
    fixed: { id: null },
    described: { id: 'readMyPermissionsOn', summary: 'What one may do with a collection' },
  },
  { operation: readMyPermissionsOnItem, method: 'GET', path: '/permissions/me/{collection}/{id}' },
];
