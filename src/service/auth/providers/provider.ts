// The port of a provider: what a driver has to do. Everything else, from the state of a login to accounts and their rights, is the same for
// every driver.

/** What a provider has proved about a person. */
export interface ProvedIdentity {
  /** Subjects are unique only within their issuer. */
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** null: the provider reports no groups. */
  readonly groups: readonly string[] | null;
  /** The token for asking the provider again and for logging out there; null: it gave none. */
  readonly token: string | null;
  /** The provider's id of its own session, unique within the issuer; null: it gave none. */
  readonly session: string | null;
  /** Set if the provider's answer may be used once: its id, and when it expires, in milliseconds since 1970. */
  readonly once?: { readonly id: string; readonly expires: number };
}

/** The three random values of a login, and where the provider sends the browser back to. */
export interface LoginChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly callback: string;
}

/** One result of testing a provider. */
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
  /** Asks again who the user is, with the token of the last identity. null: the provider can be asked through a browser only. */
  readonly renew: ((token: string, subject: string) => Promise<ProvedIdentity>) | null;
  /** Tests the provider without a login, as far as it answers. `callback`: the address to which it would send browsers back. */
  probe(callback: string): Promise<readonly Finding[]>;
  /** Verifies the token by which the provider reports a logout there; null: it reports none. */
  readonly readLogout: ((token: string) => Promise<EndedLogin>) | null;
  /**
   * The address at which a browser logs out at the provider before it returns to `target`; null: there is none. `token` is that of the
   * session, if it has one.
   */
  readonly logoutUrl: ((target: string, token: string | null, base: string) => Promise<string | null>) | null;
}

/** A provider that also sends browsers to the service with requests for a logout. */
export interface SamlProvider extends RedirectProvider {
  /** Verifies a logout request in the query of a URL. */
  readLogoutRequest(query: string, base: string): Promise<AskedLogout>;
}

interface AskedLogout extends EndedLogin {
  /** The address to send the browser to, which carries the answer to the provider. */
  answer(): Promise<string>;
}

/** A logout that the provider reports. */
export interface EndedLogin {
  readonly issuer: string;
  /** null if the provider identifies users by another name than the settings do; it then names sessions. */
  readonly subject: string | null;
  /** As in ProvedIdentity; empty: all sessions of the subject. */
  readonly sessions: readonly string[];
  /** Each report may be used once. */
  readonly id: string;
}

/** The port of a provider that checks passwords, which clients send to the service. */
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

/** Thrown when the service does not accept an identity that the provider has proved. The message is logged and not sent to the client. */
export class IdentityRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'IdentityRefused';
  }
}
