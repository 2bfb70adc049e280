// Puts identity together: tables, tokens, limits and mail, and the authenticator every request passes.

import type { Config } from '../config.js';
import type { Jobs } from '../core/engine/store/jobs.js';
import type { SchemaStore } from '../core/engine/store/schema-store.js';
import type { Hooks } from '../core/engine/write/hooks.js';
import type { QueryLimits } from '../core/query/query.js';
import type { SystemHome } from '../core/schema/system-home.js';
import type { Dialect } from '../core/vendor/dialect.js';
import type { AuthenticationDeps } from '../doors/http/request/authenticate-request.js';
import type { CookieOptions } from '../doors/http/request/cookies.js';
import { guardAccess } from '../service/auth/access/guard-access.js';
import { guardUsers } from '../service/auth/account/guard-users.js';
import { type AuthContext, type CreateItems, type HostCaller, openAuthTables, type ReadObjects } from '../service/auth/auth-context.js';
import { createMemoryLimiter, createSharedLimiter, type Limiter, limitsOf } from '../service/auth/limits/limiter.js';
import { createRedisLimiter } from '../service/auth/limits/redis-limiter.js';
import { openProviderCheck } from '../service/auth/providers/ask-again.js';
import { missingPackage, openProviders, type ProviderRegistry } from '../service/auth/providers/registry.js';
import { readProviders } from '../service/auth/providers/settings/read-settings.js';
import { openStoredProviders } from '../service/auth/providers/stored-providers.js';
import { createAuthenticator } from '../service/auth/session/authenticate.js';
import { openKeyUse } from '../service/auth/session/key-use.js';
import { sweepSessions } from '../service/auth/session/sessions.js';
import { openViewAsRecorder } from '../service/auth/session/view-as.js';
import type { Health } from '../service/describe/health.js';
import { openMailer } from '../service/mail/mailer.js';
import type { OperationDeps } from '../service/operations/operation-deps.js';
import { createTokenSigner } from '../service/secrets/signed-token.js';
import type { Siblings } from './siblings.js';

export interface Identity {
  readonly auth: AuthContext;
  readonly signOn: OperationDeps['signOn'];
  readonly authentication: AuthenticationDeps;
  readonly cookies: CookieOptions;
}

interface IdentityLog {
  readonly info: (details: Readonly<Record<string, unknown>>, text: string) => void;
  readonly warn: (details: Readonly<Record<string, unknown>>, text: string) => void;
  readonly error: (details: Readonly<Record<string, unknown>>, text: string) => void;
}

export interface ComposeIdentityDeps {
  readonly config: Config;
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  readonly system: SystemHome;
  readonly secret: string;
  readonly siblings: Siblings | null;
  readonly hostCaller: HostCaller | null;
  readonly hasStudio: boolean;
  readonly queryLimits: QueryLimits;
  readonly readObjects: ReadObjects;
  readonly createItems: CreateItems;
  readonly log: IdentityLog;
}

export function composeIdentity({
  config,
  dialect,
  store,
  system,
  secret,
  siblings,
  hostCaller,
  hasStudio,
  queryLimits,
  readObjects,
  createItems,
  log,
}: ComposeIdentityDeps): Identity {
  const limiter = openLimiter(config, siblings, log);
  const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}${config.basePath}`;
  const fixed = readProviders(config.authProviders, config.authVariables, []);
  for (const line of fixed.flatMap((settings) => missingPackage(settings) ?? [])) log.error({}, line);
  const tables = openAuthTables(dialect.syntax, system);
  const auth: AuthContext = {
    driver: dialect.driver,
    tables,
    readObjects,
    createItems,
    store,
    system,
    signer: createTokenSigner(secret),
    limiter,
    mailer: openMailer({ smtpUrl: config.mailUrl, from: config.mailFrom }, (text, details) => log.info(details, text)),
    options: {
      secret,
      accessTokenTtlMs: config.accessTokenTtl,
      refreshTokenTtlMs: config.refreshTokenTtl,
      sessionTtlMs: config.sessionTtl,
      publicUrl,
      isAddressKnown: config.publicUrl !== null,
      allowedUrls: config.allowedUrls,
      refusalMs: 500,
      queryLimits,
      history: config.history,
      disableDefaultLogin: config.authDisableDefault,
    },
    askProvider: openProviderCheck(() => ({ auth, providers, log: log.warn })),
    keyUse: openKeyUse({ driver: dialect.driver, tables }, (error) =>
      log.error({ err: error }, 'the use of an access key could not be noted'),
    ),
    report: (error) => log.error({ err: error }, 'a message could not be sent'),
  };
  const loadStored = openStoredProviders(auth);
  const providers = openProviders(fixed, loadStored);
  const authenticator = createAuthenticator(auth);
  const signOn = {
    auth,
    authenticator,
    providers,
    loadStored,
    environment: { names: config.authProviders, variables: config.authVariables },
    allowedPublicUrls: config.authAllowedPublicUrls,
    failurePage: `${publicUrl.replace(/\/+$/, '')}/${hasStudio ? 'admin/login' : 'login-failed'}`,
    log: log.warn,
  };
  return {
    auth,
    signOn,
    authentication: {
      authenticator,
      recordViewAs: openViewAsRecorder(auth),
      limiter,
      allowedOrigins: new Set([new URL(publicUrl).origin, ...config.corsOrigin]),
      hostCaller,
    },
    cookies: { secure: config.cookieSecure, sameSite: config.cookieSameSite, domain: config.cookieDomain, path: config.basePath || '/' },
  };
}

function openLimiter(config: Config, siblings: Siblings | null, log: IdentityLog): Limiter {
  const limits = limitsOf(config.rateLimit);
  if (config.redisUrl === null) return siblings === null ? createMemoryLimiter(limits) : createSharedLimiter(limits, siblings);
  return createRedisLimiter(config.redisUrl, limits, (error) => log.error({ err: error }, 'Redis is away: limits are counted in memory'));
}

/** Registers the hooks and the job of auth; returns the function that ends it. Call before the first write. */
export function startAuth(context: AuthContext, hooks: Hooks, jobs: Jobs): () => Promise<void> {
  guardUsers(hooks, context);
  guardAccess(hooks, context);
  jobs.add(sweepSessions(context, context.driver));
  return async () => {
    await context.keyUse.close();
    await context.limiter.close();
  };
}

/** Health sends no requests to providers: one is away if the last login by it could not reach it. */
export const providerChecks = ({ known, isAway }: ProviderRegistry): Health['checks'] =>
  Object.fromEntries(
    known().map((settings) => [
      `login:${settings.name}`,
      [{ componentType: 'system', status: isAway(settings) ? 'warn' : 'ok', observedValue: settings.driver } as const],
    ]),
  );
