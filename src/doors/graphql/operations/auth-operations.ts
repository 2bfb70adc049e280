// Logging in and out, and what accounts do without being logged in.

import { GraphQLBoolean, GraphQLEnumType, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import type { AuthContext } from '../../../service/auth/auth-context.js';
import type { Authenticator } from '../../../service/auth/authenticate.js';
import { acceptInvitation, inviteUsers } from '../../../service/auth/invite.js';
import { type IssuedTokens, refreshCookie, sessionCookie } from '../../../service/auth/issue-tokens.js';
import { login } from '../../../service/auth/login.js';
import { logout } from '../../../service/auth/logout.js';
import { describeShare, openShare } from '../../../service/auth/open-share.js';
import { requestPasswordReset, resetPassword } from '../../../service/auth/password-reset.js';
import { refresh } from '../../../service/auth/refresh.js';
import { register, verifyRegistration } from '../../../service/auth/register.js';
import { clientOf } from '../../http/authenticate-request.js';
import { carriedSession } from '../../http/carried-session.js';
import { clearCookie, setCookie } from '../../http/cookies.js';
import { bigIntScalar, jsonScalar } from '../schema/scalars.js';
import type { Operation, OperationCall } from './operation.js';

export interface AuthSources {
  readonly auth: AuthContext;
  readonly authenticator: Authenticator;
  readonly cookieSecure: boolean;
  readonly allowedOrigins: ReadonlySet<string>;
}

const text = { type: GraphQLString };
const given = { type: new GraphQLNonNull(GraphQLString) };

const modeEnum = new GraphQLEnumType({ name: 'auth_mode', values: { json: {}, cookie: {}, session: {} } });
const mode = { type: modeEnum };

const tokens = new GraphQLObjectType({
  name: 'auth_tokens',
  fields: { access_token: text, refresh_token: text, expires: { type: bigIntScalar } },
});

export function authOperations(sources: AuthSources): readonly Operation[] {
  const { auth, authenticator } = sources;
  const open = async (call: OperationCall, issuing: Promise<IssuedTokens>): Promise<unknown> => {
    call.reply.header('cache-control', 'no-store');
    const { data, cookie } = await issuing;
    if (cookie !== null) setCookie(call.request, call.reply, cookie, sources.cookieSecure);
    return data;
  };
  const tokensOperation = (name: string, args: Operation['args'], issue: (call: OperationCall) => Promise<IssuedTokens>): Operation => ({
    kind: 'mutation',
    name,
    type: tokens,
    ...(args === undefined ? {} : { args }),
    run: (call) => open(call, issue(call)),
  });
  return [
    tokensOperation('auth_login', { email: given, password: given, mode, otp: text }, ({ args, request }) =>
      login(auth, authenticator, args, clientOf(request)),
    ),
    tokensOperation('auth_refresh', { refresh_token: text, mode }, async ({ args, request }) =>
      refresh(auth, authenticator, carriedSession(request, args, sources.allowedOrigins), clientOf(request)),
    ),
    tokensOperation('shares_auth', { share: given, password: text, mode }, ({ args, request }) => openShare(auth, args, clientOf(request))),
    {
      kind: 'mutation',
      name: 'auth_logout',
      type: GraphQLBoolean,
      args: { refresh_token: text, mode },
      run: async (call) => {
        await endSession(sources, call);
        return true;
      },
    },
    {
      kind: 'query',
      name: 'shares_info',
      type: jsonScalar,
      args: { id: given },
      run: ({ args }) => describeShare(auth, String(args['id'])),
    },
    ...accountOperations(sources),
  ];
}

async function endSession({ auth, allowedOrigins, cookieSecure }: AuthSources, { request, reply, args }: OperationCall): Promise<void> {
  const carried = carriedSession(request, args, allowedOrigins);
  await logout(auth, carried, clientOf(request));
  if (carried.mode !== 'json') clearCookie(request, reply, carried.mode === 'session' ? sessionCookie : refreshCookie, cookieSecure);
}

/** Answered by true: there is nothing to read afterwards. */
function accountOperations({ auth }: AuthSources): readonly Operation[] {
  const done = (name: string, args: NonNullable<Operation['args']>, act: (call: OperationCall) => Promise<unknown>): Operation => ({
    kind: 'mutation',
    name,
    type: GraphQLBoolean,
    args,
    run: async (call) => {
      await act(call);
      return true;
    },
  });
  const names = { first_name: text, last_name: text };
  return [
    done('auth_password_request', { email: given, reset_url: text }, ({ args, request }) =>
      requestPasswordReset(auth, args, clientOf(request)),
    ),
    done('auth_password_reset', { token: given, password: given }, ({ args, request }) => resetPassword(auth, args, clientOf(request))),
    {
      ...done('users_invite', { email: given, role: given, invite_url: text }, ({ args, caller }) => inviteUsers(auth, caller, args)),
      once: true,
    },
    done('users_invite_accept', { token: given, password: given }, ({ args, request }) => acceptInvitation(auth, args, clientOf(request))),
    {
      ...done('users_register', { email: given, password: given, verification_url: text, ...names }, ({ args, request }) =>
        register(auth, args, clientOf(request)),
      ),
      once: true,
    },
    done('users_register_verify', { token: given }, ({ args }) => verifyRegistration(auth, args['token'])),
  ];
}
