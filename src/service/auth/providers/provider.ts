// The port of a provider: what a driver has to do. Everything else, from the state of a login to accounts and their rights, is the same for
// every driver.

/** What a provider has proved about a person. */
export interface ProvedIdentity {
  /** Who says so: subjects are unique for an issuer only. */
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** null: the provider says nothing of groups. */
  readonly groups: readonly string[] | null;
  /** To ask the provider again with, or to log out there by; null: it gave nothing. */
  readonly token: string | null;
  /** What the provider calls the session that it began there, unique for the issuer; null: it has no name for it. */
  readonly session: string | null;
  /** Set if the provider's word is good once: what it is called, and until when it could be said again, in milliseconds. */
  readonly once?: { readonly id: string; readonly expires: number };
}

/** The three random values of a login, and where the provider sends the browser back to. */
export interface LoginChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly callback: string;
}

/** What came out of trying a provider. */
export interface Finding {
  readonly level: 'good' | 'doubtful' | 'bad';
  readonly code: (typeof findingCodes)[number];
  /** For people, in English. */
  readonly message: string;
}

export const findingCodes = [
  'ISSUER_ANSWERS',
  'CLIENT_ACCEPTED',
  'CLIENT_REFUSED',
  'CLIENT_UNCLEAR',
  'DIRECTORY_ANSWERS',
  'PEOPLE_FOUND',
  'NO_PEOPLE',
  'METADATA_READ',
  'CERTIFICATE_EXPIRED',
  'AWAY',
  'REFUSED',
  'PACKAGE_MISSING',
] as const;

/**
 * Every function throws ProviderAway when the provider cannot be reached or does not work, and any other error when it refuses or its answer
 * does not pass the checks.
 */
export interface RedirectProvider {
  readonly kind: 'redirect';
  /** The address to send the browser to. */
  authorize(checks: LoginChecks, prompt: string | null): Promise<string>;
  /** Redeems what the browser brought back to the callback. */
  redeem(checks: LoginChecks, parameters: URLSearchParams): Promise<ProvedIdentity>;
  /** Asks again who the user is; `token` is what the last identity came with. null: the provider answers to browsers only. */
  readonly renew: ((token: string, subject: string) => Promise<ProvedIdentity>) | null;
  /** Asks the provider without a login, as far as it answers; `callback` is where it would send browsers back to. */
  probe(callback: string): Promise<readonly Finding[]>;
  /** Reads what the provider sends after a logout there; null: it sends nothing. */
  readonly readLogout: ((token: string) => Promise<EndedLogin>) | null;
  /** Where a browser logs out at the provider, and comes back from to `target`; null: nowhere. `token` is that of the session, if it has one. */
  readonly logoutUrl: ((target: string, token: string | null, base: string) => Promise<string | null>) | null;
}

/** A provider that also speaks to the service by the browsers of people who log out there. */
export interface SamlProvider extends RedirectProvider {
  /** Reads the query by which a provider asks for a logout. */
  readLogoutRequest(query: string, base: string): Promise<AskedLogout>;
}

interface AskedLogout extends EndedLogin {
  /** Where the browser goes on, to tell the provider what came of it. */
  answer(): Promise<string>;
}

/** A login that has ended at the provider. */
export interface EndedLogin {
  readonly issuer: string;
  /** null: the provider names people otherwise than the settings do; then it names sessions. */
  readonly subject: string | null;
  /** As in ProvedIdentity; empty: all sessions of the subject. */
  readonly sessions: readonly string[];
  /** The word of the provider is good once. */
  readonly id: string;
}

/** The same for a provider that checks passwords, which clients send to the service. */
export interface PasswordProvider {
  readonly kind: 'password';
  prove(identifier: string, password: string): Promise<ProvedIdentity>;
  /** Asks again whether the directory still has the user. */
  renew(subject: string): Promise<ProvedIdentity>;
  /** Looks for people without a login. */
  probe(): Promise<readonly Finding[]>;
}

export class ProviderAway extends Error {
  constructor(provider: string, cause: unknown) {
    super(`the provider "${provider}" is away`, { cause });
    this.name = 'ProviderAway';
  }
}

/** Why an identity that the provider has proved is of no use here. Operators find it in the log; clients are not told. */
export class IdentityRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'IdentityRefused';
  }
}
