// What the account functions work with: the service's own rows, the schema store with its epochs, and the tools of sign-in.

import type { Caller } from '../../core/access/view.js';
import { definitionOf } from '../../core/engine/definition-of.js';
import type { SchemaStore } from '../../core/engine/schema-store.js';
import { type SystemRows, systemRows } from '../../core/engine/system-rows.js';
import type { QueryLimits } from '../../core/query/query.js';
import type { SystemDefinition } from '../../core/schema/system-definition.js';
import type { Dialect } from '../../core/vendor/dialect.js';
import type { Connection, Driver } from '../../core/vendor/driver.js';
import type { Mailer } from '../mail/message.js';
import type { TokenSigner } from '../secrets/signed-token.js';
import type { Limiter } from './limiter.js';

interface AuthOptions {
  readonly secret: string;
  readonly accessTokenTtlMs: number;
  readonly refreshTokenTtlMs: number;
  readonly sessionTtlMs: number;
  /** Where clients reach the service; links in mails begin with it. */
  readonly publicUrl: string;
  /** Addresses that mails may link to besides. */
  readonly allowedUrls: readonly string[];
  /** A refused login takes at least so long, whatever was wrong with it. */
  readonly stallMs: number;
  readonly queryLimits: QueryLimits;
  readonly history: boolean;
}

export interface AuthTables {
  readonly users: SystemRows;
  readonly sessions: SystemRows;
  readonly roles: SystemRows;
  readonly policies: SystemRows;
  readonly access: SystemRows;
  readonly permissions: SystemRows;
  readonly settings: SystemRows;
  readonly activity: SystemRows;
  readonly shares: SystemRows;
}

/** Items read through the engine as the service itself; `query` is written as in a SEARCH body. */
export type ReadObjects = (
  connection: Connection,
  collection: string,
  query: Readonly<Record<string, unknown>>,
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** Items made through the engine as this caller, with all its rules; answers their keys in order. */
export type CreateItems = (
  caller: Caller,
  collection: string,
  items: readonly Readonly<Record<string, unknown>>[],
) => Promise<readonly unknown[]>;

export interface AuthContext {
  readonly driver: Driver;
  readonly tables: AuthTables;
  readonly readObjects: ReadObjects;
  readonly createItems: CreateItems;
  readonly store: SchemaStore;
  readonly signer: TokenSigner;
  readonly limiter: Limiter;
  readonly mailer: Mailer;
  readonly options: AuthOptions;
  /** A failure nobody waits for: a mail that could not be sent. */
  readonly report: (error: unknown) => void;
}

/** Where a request comes from; kept with its session. */
export interface ClientFacts {
  readonly ip: string;
  readonly userAgent: string | null;
  readonly origin: string | null;
}

export function openAuthTables(dialect: Dialect, definitions: readonly SystemDefinition[], systemSchema: string | null): AuthTables {
  const rows = (name: string): SystemRows => systemRows(dialect.syntax, definitionOf(definitions, `service_${name}`), systemSchema);
  return {
    users: rows('users'),
    sessions: rows('sessions'),
    roles: rows('roles'),
    policies: rows('policies'),
    access: rows('access'),
    permissions: rows('permissions'),
    settings: rows('settings'),
    activity: rows('activity'),
    shares: rows('shares'),
  };
}
