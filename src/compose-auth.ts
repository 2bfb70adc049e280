// Puts identity together: tables, tokens, limits and mail, and the authenticator every request passes.

import type { Config } from './config.js';
import type { SchemaStore } from './core/engine/schema-store.js';
import type { QueryLimits } from './core/query/query.js';
import type { Dialect } from './core/vendor/dialect.js';
import type { AuthenticationDoor } from './doors/http/authenticate-request.js';
import type { AuthDoor } from './doors/rest/auth-routes.js';
import { type AuthContext, type CreateItems, openAuthTables, type ReadObjects } from './service/auth/auth-context.js';
import { createAuthenticator } from './service/auth/authenticate.js';
import { createMemoryLimiter, type Limiter, limitsOf } from './service/auth/limiter.js';
import { createRedisLimiter } from './service/auth/redis-limiter.js';
import { createSharedLimiter } from './service/auth/shared-limiter.js';
import { openMailer } from './service/mail/open-mailer.js';
import { createTokenSigner } from './service/secrets/signed-token.js';
import { systemDefinitions } from './service/system/system-definitions.js';
import type { Siblings } from './siblings.js';

export interface Identity {
  readonly auth: AuthContext;
  readonly authentication: AuthenticationDoor;
  readonly door: AuthDoor;
}

interface IdentityLog {
  readonly info: (details: Readonly<Record<string, unknown>>, text: string) => void;
  readonly error: (details: Readonly<Record<string, unknown>>, text: string) => void;
}

export interface IdentityFloor {
  readonly config: Config;
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  readonly secret: string;
  readonly siblings: Siblings | null;
  readonly queryLimits: QueryLimits;
  readonly readObjects: ReadObjects;
  readonly createItems: CreateItems;
  readonly log: IdentityLog;
}

export function composeIdentity({
  config,
  dialect,
  store,
  secret,
  siblings,
  queryLimits,
  readObjects,
  createItems,
  log,
}: IdentityFloor): Identity {
  const limiter = openLimiter(config, siblings, log);
  const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
  const auth: AuthContext = {
    driver: dialect.driver,
    tables: openAuthTables(dialect, systemDefinitions, config.systemSchema),
    readObjects,
    createItems,
    store,
    signer: createTokenSigner(secret),
    limiter,
    mailer: openMailer({ smtpUrl: config.mailUrl, from: config.mailFrom }, (text, details) => log.info(details, text)),
    options: {
      secret,
      accessTokenTtlMs: config.accessTokenTtl,
      refreshTokenTtlMs: config.refreshTokenTtl,
      sessionTtlMs: config.sessionTtl,
      publicUrl,
      allowedUrls: config.allowedUrls,
      stallMs: 500,
      queryLimits,
      history: config.history,
    },
    report: (error) => log.error({ err: error }, 'a message could not be sent'),
  };
  const authenticator = createAuthenticator(auth);
  const allowedOrigins = new Set([new URL(publicUrl).origin, ...config.corsOrigin]);
  return {
    auth,
    authentication: { authenticator, limiter, allowedOrigins },
    door: { auth, authenticator, cookieSecure: config.cookieSecure, allowedOrigins },
  };
}

function openLimiter(config: Config, siblings: Siblings | null, log: IdentityLog): Limiter {
  const limits = limitsOf(config.rateLimit);
  if (config.redisUrl === null)
    return siblings === null ? createMemoryLimiter(limits) : createSharedLimiter(limits, (name, key) => siblings.countAttempt(name, key));
  return createRedisLimiter(config.redisUrl, limits, (error) => log.error({ err: error }, 'Redis is away: limits are counted in memory'));
}
