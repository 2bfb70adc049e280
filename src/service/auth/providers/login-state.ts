// The state of a login while the browser is at the provider. It is stored in a cookie, sealed, so that it cannot be read or changed and no
// other browser can complete the login. Each state can be used once.

import type { Seal } from '../../../core/engine/read/cursor.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import { createSeal } from '../../secrets/seal.js';
import { digestToken } from '../../secrets/token.js';
import type { AuthContext } from '../auth-context.js';
import { toTime } from '../session/sessions.js';
import type { LoginChecks } from './provider.js';
import type { RedirectProviderSettings } from './settings/provider-settings.js';

export interface LoginState extends LoginChecks {
  /** Where to send the browser after the login; null: to the start page. */
  readonly redirect: string | null;
  readonly otp: string | null;
  /** The signed-in user to whose account the identity is added; null: the identity logs in. */
  readonly link: string | null;
  /** In milliseconds. */
  readonly expires: number;
}

/** A cookie of the login alone. Browsers take a name that begins with `__Host-` only from this host, over HTTPS. */
export interface LoginCookie {
  readonly name: string;
  readonly secure: boolean;
}

export function loginCookie({ driver, name, cookieSecure }: RedirectProviderSettings, base: string): LoginCookie {
  const secure = cookieSecure || base.startsWith('https:');
  return { name: `${secure ? '__Host-' : ''}${driver}.${name}`, secure };
}

const sealOf = ({ options }: AuthContext): Seal => createSeal(options.secret, 'sign-on');

export const sealState = (context: AuthContext, provider: string, state: LoginState): string =>
  sealOf(context).seal(JSON.stringify(state), provider);

/** null if the text is not the state of a login by this provider, or has expired. */
export function openState(context: AuthContext, provider: string, sealed: string | null): LoginState | null {
  const text = sealed === null ? null : sealOf(context).open(sealed, provider);
  const state = text === null ? null : (JSON.parse(text) as LoginState);
  return state !== null && state.expires > Date.now() ? state : null;
}

/** Marks the text as used; false if it was used before. */
export async function spend({ tables, driver }: AuthContext, text: string, expires: number): Promise<boolean> {
  try {
    await tables.spent.insert(driver, [{ digest: digestToken(text), expires: toTime(expires) }]);
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'unique') return false;
    throw error;
  }
}
