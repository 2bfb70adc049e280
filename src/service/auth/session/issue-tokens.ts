// Issues the tokens of a login or a refresh: in the body, or partly in a cookie. The result names the cookie; the door sets it.

import { unreachable } from '../../../core/errors/service-error.js';
import type { AuthContext } from '../auth-context.js';

export const sessionModes = ['json', 'cookie', 'session'] as const;
export type SessionMode = (typeof sessionModes)[number];

export const refreshCookie = 'service_refresh_token';
export const sessionCookie = 'service_session_token';

interface SessionCookie {
  readonly name: typeof refreshCookie | typeof sessionCookie;
  readonly value: string;
  readonly maxAgeMs: number;
}

/** Removes what a session of this mode keeps at the client. */
export const removedCookies = (mode: SessionMode): readonly SessionCookie[] =>
  mode === 'json' ? [] : [{ name: mode === 'session' ? sessionCookie : refreshCookie, value: '', maxAgeMs: 0 }];

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
  const more = { ...(share === undefined ? {} : { share }), ...(mode === 'session' ? {} : { renewable: false }) };
  const access_token = await signer.sign('access', { id, role, app_access, admin_access, ...more, session: session.family }, expires);
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
