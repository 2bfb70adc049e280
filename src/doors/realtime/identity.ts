// The identity of a connection that outlives a request. The caller is looked up again whenever rights, sessions or the structure change,
// and when the token expires.

import type { Caller } from '../../core/access/view.js';
import { ServiceError } from '../../core/errors/service-error.js';
import type { AuthContext, ClientFacts, NamedCaller } from '../../service/auth/auth-context.js';
import type { Authenticator } from '../../service/auth/session/authenticate.js';
import { login } from '../../service/auth/session/login.js';
import { refresh } from '../../service/auth/session/refresh.js';
import type { Turns } from '../../service/events/turns.js';
import { looksSigned } from '../../service/secrets/signed-token.js';

export interface IdentityDeps {
  readonly auth: AuthContext;
  readonly authenticator: Authenticator;
  /** For the lookups that follow a change: thousands of connections must not take the database from requests. */
  readonly turns: Turns;
}

/** The ways in which a client can authenticate. */
export type Credentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'password'; readonly email: string; readonly password: string }
  | { readonly kind: 'refresh'; readonly token: string };

export class Identity {
  readonly client: ClientFacts;
  readonly #deps: IdentityDeps;
  #token: string | null;
  /** A user that the embedding application named. */
  #user: string | null;
  #caller: Caller;

  constructor(deps: IdentityDeps, client: ClientFacts, token: string | null, caller: Caller) {
    this.#deps = deps;
    this.client = client;
    this.#token = token;
    this.#caller = caller;
    this.#user = token === null ? caller.accountability.user : null;
  }

  get caller(): Caller {
    return this.#caller;
  }

  get token(): string | null {
    return this.#token;
  }

  /** The caller as an embedding application would name it; undefined: the token decides. */
  get named(): NamedCaller | undefined {
    if (this.#token !== null) return undefined;
    return this.#user === null ? null : { user: this.#user };
  }

  get isKnown(): boolean {
    return this.#token !== null || this.#user !== null;
  }

  /** When the token expires, in milliseconds; Infinity for what does not, and for the public. */
  get endsAt(): number {
    const { accessKey } = this.#caller.accountability;
    if (accessKey !== null) return accessKey.endsAt;
    return this.#token !== null && looksSigned(this.#token) ? expiryOf(this.#token) : Number.POSITIVE_INFINITY;
  }

  /** Resolves to the refresh token, if the credentials gave one. */
  async prove(credentials: Credentials): Promise<string | null> {
    const { access, refreshToken } = await this.#exchange(credentials);
    this.#caller = await this.#deps.authenticator.authenticate(access, this.client, 'anything');
    this.#token = access;
    this.#user = null;
    return refreshToken;
  }

  async #exchange(credentials: Credentials): Promise<{ readonly access: string; readonly refreshToken: string | null }> {
    const { auth, authenticator } = this.#deps;
    if (credentials.kind === 'token') return { access: credentials.token, refreshToken: null };
    const { data } =
      credentials.kind === 'password'
        ? await login(
            auth,
            authenticator,
            { email: credentials.email, password: credentials.password, mode: 'json', otp: null },
            this.client,
          )
        : await refresh(auth, authenticator, { mode: 'json', token: credentials.token }, this.client);
    return { access: String(data['access_token']), refreshToken: String(data['refresh_token']) };
  }

  /** Becomes the public. If that fails, the caller must not be used any more. */
  async forget(): Promise<void> {
    this.#token = null;
    this.#user = null;
    this.#caller = await this.#deps.authenticator.authenticate(null, this.client, 'anything');
  }

  /**
   * Looks the caller up again. False when the session has ended or the user may not sign in any more. `onBegin` is called when the lookup has its
   * turn: it finds whatever has changed before.
   */
  async renew(onBegin: () => void): Promise<boolean> {
    const [token, user] = [this.#token, this.#user];
    const caller = await this.#lookUp(token, user, onBegin);
    // The client has authenticated again meanwhile, possibly with rights from before the change.
    if (token !== this.#token || user !== this.#user) return this.renew(onBegin);
    if (caller !== null) this.#caller = caller;
    return caller !== null;
  }

  /** null when the service refuses the token or user. */
  async #lookUp(token: string | null, user: string | null, onBegin: () => void): Promise<Caller | null> {
    const { authenticator, turns } = this.#deps;
    const endTurn = await turns.take(this.#caller.accountability.user ?? '');
    onBegin();
    try {
      return await (user === null
        ? authenticator.authenticate(token, this.client, 'anything')
        : authenticator.authenticateUser(user, this.client, 'anything'));
    } catch (error) {
      if (error instanceof ServiceError && error.status < 500) return null;
      throw error;
    } finally {
      endTurn();
    }
  }
}

/** The authenticator has verified the signature. */
function expiryOf(token: string): number {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as { readonly exp?: unknown };
    return typeof claims.exp === 'number' ? claims.exp * 1000 : Number.POSITIVE_INFINITY;
  } catch {
    return 0;
  }
}
