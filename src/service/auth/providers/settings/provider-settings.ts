// The settings of providers, as the configuration reads them from AUTH_PROVIDERS and AUTH_<NAME>_….

export const authMethods = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'private_key_jwt', 'none'] as const;

/** Which account, role and policies a person gets after a provider has proved who they are. */
export interface ProvisionSettings {
  /** Whether unknown users get an account. */
  readonly allowRegistration: boolean;
  /** Whether a new account requires an address that the provider calls verified. */
  readonly requireVerifiedEmail: boolean;
  /** An unknown identity is linked to the account that has its address, if the provider calls the address verified. */
  readonly linkByEmail: boolean;
  /** Whether name and address are copied from the provider at every login. */
  readonly syncUserInfo: boolean;
  readonly defaultRole: string | null;
  /** Roles by group; the first group that the user is in decides. null: the provider does not decide roles. */
  readonly roleMapping: ReadonlyMap<string, string> | null;
  /** Policies by group; all of the user's groups count. */
  readonly policyMapping: ReadonlyMap<string, readonly string[]> | null;
  /** The names of groups are names of roles, as LDAP has it. */
  readonly groupsNameRoles: boolean;
  /** Whether groups may make administrators. */
  readonly allowAdmin: boolean;
}

interface CommonSettings {
  readonly name: string;
  readonly label: string;
  readonly icon: string;
  readonly provision: ProvisionSettings;
}

/** A provider that a browser is sent to, and comes back from. */
interface RedirectSettings extends CommonSettings {
  readonly mode: 'session' | 'cookie';
  /** Further addresses that a login may lead to. */
  readonly redirectAllowList: readonly string[];
  readonly cookieSecure: boolean;
  readonly loginTimeoutMs: number;
  readonly identifierKey: string;
  readonly emailKey: string;
  readonly firstNameKey: string;
  readonly lastNameKey: string;
  readonly groupClaim: string;
}

/** A provider that the service is a client of, and asks for tokens. */
interface ClientSettings extends RedirectSettings {
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** How the client authenticates; null: chosen by what it has, a key or a secret. */
  readonly authMethod: (typeof authMethods)[number] | null;
  /** Further client metadata, such as `id_token_signed_response_alg`. */
  readonly client: Readonly<Record<string, unknown>>;
  /** JSON Web Keys of private_key_jwt. */
  readonly privateKeys: readonly Readonly<Record<string, unknown>>[];
  /** Longest time of one request to the provider. */
  readonly timeoutMs: number;
  readonly scope: string;
  /** Further parameters of the authorisation URL. */
  readonly params: Readonly<Record<string, string>>;
}

export interface OpenidSettings extends ClientSettings {
  readonly driver: 'openid';
  /** The issuer, or its discovery document. */
  readonly issuerUrl: string;
}

export interface Oauth2Settings extends ClientSettings {
  readonly driver: 'oauth2';
  readonly authorizeUrl: string;
  readonly accessUrl: string;
  readonly profileUrl: string;
  /** The endpoint that lists the user's addresses with `verified` and `primary`, as GitHub has it. */
  readonly emailsUrl: string | null;
}

export const signedParts = ['both', 'response', 'assertion'] as const;

/** What the metadata of a SAML identity provider says. */
export interface SamlIdentityProvider {
  readonly entityId: string;
  /** Where a browser logs in (HTTP-Redirect). */
  readonly loginUrl: string;
  /** Where it logs out (HTTP-Redirect); null: the provider knows no logouts. */
  readonly logoutUrl: string | null;
  /** In Base64, without the lines around it. Any of them may have signed. */
  readonly certificates: readonly string[];
}

export interface SamlSettings extends RedirectSettings {
  readonly driver: 'saml';
  readonly identityProvider: SamlIdentityProvider;
  /** The name of the service at the provider; null: the address of its metadata. */
  readonly entityId: string | null;
  /** In PEM, to sign requests with; null: they are not signed. */
  readonly key: { readonly privateKey: string; readonly certificate: string } | null;
  /** What the provider has to sign. */
  readonly signed: (typeof signedParts)[number];
}

export interface LdapSettings extends CommonSettings {
  readonly driver: 'ldap';
  readonly url: string;
  /** Whether to use StartTLS on a connection to this machine as well; all other connections are always encrypted. */
  readonly startTls: boolean;
  /** Options of Node's TLS, such as `ca`. */
  readonly tls: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  /** The account by which entries are searched; null: anonymously. */
  readonly bindDn: string | null;
  readonly bindPassword: string | null;
  readonly userDn: string;
  readonly userAttribute: string;
  readonly userScope: SearchScope;
  readonly mailAttribute: string;
  readonly firstNameAttribute: string;
  readonly lastNameAttribute: string;
  /** null: groups decide nothing. */
  readonly groupDn: string | null;
  readonly groupAttribute: string;
  readonly groupScope: SearchScope;
}

type SearchScope = 'base' | 'one' | 'sub';

export interface LocalSettings extends CommonSettings {
  readonly driver: 'local';
}

export type ClientProviderSettings = OpenidSettings | Oauth2Settings;
export type RedirectProviderSettings = ClientProviderSettings | SamlSettings;
export type ProviderSettings = RedirectProviderSettings | LdapSettings | LocalSettings;

/** Whether clients send a password to the service for this provider. */
export const takesPassword = (settings: ProviderSettings): settings is LdapSettings | LocalSettings =>
  settings.driver === 'ldap' || settings.driver === 'local';

export const isClient = (settings: ProviderSettings): settings is ClientProviderSettings =>
  settings.driver === 'openid' || settings.driver === 'oauth2';

export const isSaml = (settings: ProviderSettings): settings is SamlSettings => settings.driver === 'saml';

export const isRedirect = (settings: ProviderSettings): settings is RedirectProviderSettings => isClient(settings) || isSaml(settings);
