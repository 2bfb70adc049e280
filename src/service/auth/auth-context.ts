// The dependencies of the auth functions: the tables they read and write below permissions, the engine for what goes through them, and
// the tools of sign-in.

import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../core/access/view.js';
import { type SystemRows, systemRows } from '../../core/engine/own-rows/system-rows.js';
import type { SchemaStore } from '../../core/engine/store/schema-store.js';
import type { QueryLimits } from '../../core/query/query.js';
import type { RowOf } from '../../core/schema/system-definition.js';
import type { SystemHome } from '../../core/schema/system-home.js';
import type { Syntax } from '../../core/sql/syntax.js';
import type { Connection, Driver } from '../../core/vendor/driver.js';
import { accessKeys, identities, passkeys, providers, roles, sessions, shares, spent, users } from '../definitions/accounts.js';
import { settings } from '../definitions/application.js';
import { secrets } from '../definitions/bookkeeping.js';
import { activity } from '../definitions/history.js';
import { access, permissions, policies } from '../definitions/permissions.js';
import type { Mailer } from '../mail/mailer.js';
import type { TokenSigner } from '../secrets/signed-token.js';
import type { Limiter } from './limits/limiter.js';

interface AuthOptions {
  readonly secret: string;
  readonly accessTokenTtlMs: number;
  readonly refreshTokenTtlMs: number;
  readonly sessionTtlMs: number;
  /** The address at which clients reach the service; the links in mails begin with it. */
  readonly publicUrl: string;
  /** Whether the settings name that address. Otherwise it is a guess, and clients on this machine may use another. */
  readonly isAddressKnown: boolean;
  /** Further addresses that mails may link to. */
  readonly allowedUrls: readonly string[];
  /** The least time that a refused login takes, whatever the reason. */
  readonly refusalMs: number;
  readonly queryLimits: QueryLimits;
  readonly history: boolean;
  /** Refuses logins by email and password. */
  readonly disableDefaultLogin: boolean;
}

export interface AuthTables {
  readonly users: SystemRows<RowOf<typeof users>>;
  readonly sessions: SystemRows<RowOf<typeof sessions>>;
  readonly roles: SystemRows<RowOf<typeof roles>>;
  readonly policies: SystemRows<RowOf<typeof policies>>;
  readonly access: SystemRows<RowOf<typeof access>>;
  readonly permissions: SystemRows<RowOf<typeof permissions>>;
  readonly settings: SystemRows<RowOf<typeof settings>>;
  readonly activity: SystemRows<RowOf<typeof activity>>;
  readonly shares: SystemRows<RowOf<typeof shares>>;
  readonly secrets: SystemRows<RowOf<typeof secrets>>;
  readonly identities: SystemRows<RowOf<typeof identities>>;
  readonly passkeys: SystemRows<RowOf<typeof passkeys>>;
  readonly accessKeys: SystemRows<RowOf<typeof accessKeys>>;
  readonly providers: SystemRows<RowOf<typeof providers>>;
  readonly spent: SystemRows<RowOf<typeof spent>>;
}

/** Reads items through the engine with the rights of the service; `query` has the form of a SEARCH body. */
export type ReadObjects = (
  connection: Connection,
  collection: string,
  query: Readonly<Record<string, unknown>>,
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** Creates items through the engine with the rights of the caller; resolves to their keys in order. */
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
  /** What the system collections are called in this database. */
  readonly system: SystemHome;
  readonly signer: TokenSigner;
  readonly limiter: Limiter;
  readonly mailer: Mailer;
  readonly options: AuthOptions;
  /**
   * Asks the provider that proved an identity whether it still does, and takes over the user's groups from its answer. False: the session
   * has to end. If the provider cannot be reached, nothing changes.
   */
  readonly askProvider: (identity: string, providerToken: string | null, family: string) => Promise<boolean>;
  readonly keyUse: KeyUse;
  /** Receives failures of background work, such as a mail that could not be sent. */
  readonly report: (error: unknown) => void;
}

/** When access keys were last used. */
export interface KeyUse {
  /** Returns at once. */
  note(id: string): void;
  /** Resolves when what is being written is stored. */
  close(): Promise<void>;
}

/** Where a request comes from; stored with its session. */
export interface ClientFacts {
  readonly ip: string;
  readonly userAgent: string | null;
  readonly origin: string | null;
}

export function openAuthTables(syntax: Syntax, system: SystemHome): AuthTables {
  return {
    users: systemRows(syntax, users, system),
    sessions: systemRows(syntax, sessions, system),
    roles: systemRows(syntax, roles, system),
    policies: systemRows(syntax, policies, system),
    access: systemRows(syntax, access, system),
    permissions: systemRows(syntax, permissions, system),
    settings: systemRows(syntax, settings, system),
    activity: systemRows(syntax, activity, system),
    shares: systemRows(syntax, shares, system),
    secrets: systemRows(syntax, secrets, system),
    identities: systemRows(syntax, identities, system),
    passkeys: systemRows(syntax, passkeys, system),
    accessKeys: systemRows(syntax, accessKeys, system),
    providers: systemRows(syntax, providers, system),
    spent: systemRows(syntax, spent, system),
  };
}

/** The user for whom an embedding application acts, by id; null: the public. */
export type NamedCaller = { readonly user: string } | null;

/**
 * Called for every request in an application that embeds the service and authenticates its users itself. Undefined leaves the decision to
 * the request's token.
 */
export type HostCaller = (request: IncomingMessage) => NamedCaller | undefined | Promise<NamedCaller | undefined>;
