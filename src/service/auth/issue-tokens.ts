// What a login or a refresh gives: tokens in the body, or partly in cookies. Which cookies to set is said here, setting them is the
// door's business.

import { unreachable } from '../../core/errors/service-error.js';
import type { SessionMode } from './account-payload.js';
import type { AuthContext } from './auth-context.js';

export const refreshCookie = 'service_refresh_token';
export const sessionCookie = 'service_session_token';

interface SessionCookie {
  readonly name: typeof refreshCookie | typeof sessionCookie;
  readonly value: string;
  readonly maxAgeMs: number;
}

export interface IssuedTokens {
  readonly data: Readonly<Record<string, unknown>>;
  readonly cookie: SessionCookie | null;
}

export interface TokenOwner {
  /** null for the holder of a share. */
  readonly user: string | null;
  readonly role: string | null;
  readonly app: boolean;
  readonly admin: boolean;
  readonly share?: string;
}

export const sessionLifetime = ({ options }: Pick<AuthContext, 'options'>, mode: SessionMode): number =>
  mode === 'session' ? options.sessionTtlMs : options.refreshTokenTtlMs;

export async function issueTokens(
  { signer, options }: Pick<AuthContext, 'signer' | 'options'>,
  mode: SessionMode,
  owner: TokenOwner,
  session: { readonly family: string; readonly refreshToken: string },
): Promise<IssuedTokens> {
  const expires = mode === 'session' ? options.sessionTtlMs : options.accessTokenTtlMs;
  const { user: id, role, app: app_access, admin: admin_access, share } = owner;
  const holder = share === undefined ? {} : { share };
  const access_token = await signer.sign('access', { id, role, app_access, admin_access, ...holder, session: session.family }, expires);
  switch (mode) {
    case 'json':
      return { data: { access_token, refresh_token: session.refreshToken, expires }, cookie: null };
    case 'cookie':
      return {
        data: { access_token, expires },
        cookie: { name: refreshCookie, value: session.refreshToken, maxAgeMs: options.refreshTokenTtlMs },
      };
    case 'session':
      return { data: { expires }, cookie: { name: sessionCookie, value: access_token, maxAgeMs: expires } };
    default:
      return unreachable(mode);
  }
}
