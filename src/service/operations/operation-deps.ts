// What operations work with. The composition puts it together once; an operation takes what it needs from `call.deps`.

import type { Caller } from '../../core/access/view.js';
import type { SystemRows } from '../../core/engine/own-rows/rows.js';
import type { RowOf } from '../../core/schema/system-definition.js';
import type { AuthContext } from '../auth/auth-context.js';
import type { SignOnDeps } from '../auth/providers/sign-on.js';
import type { Authenticator } from '../auth/session/authenticate.js';
import type { Automation } from '../automation/open-automation.js';
import type { syncIds } from '../definitions/bookkeeping.js';
import type { FilesDeps } from '../files/transfer/files-deps.js';
import type { VersionDeps } from '../history/versions/version.js';
import type { Structure } from '../structure/structure.js';
import type { ExplainAccessDeps } from '../utilities/explain-access.js';
import type { ExportDeps } from '../utilities/export/export-to-file.js';
import type { Idempotency } from '../utilities/idempotency.js';
import type { ItemDeps } from './items/item-target.js';

/** The statements of one process that took long, the latest first. Values of requests are not among it. */
export interface SlowStatementReport {
  /** Null: SLOW_STATEMENT is off. */
  readonly threshold_ms: number | null;
  readonly process: string;
  readonly statements: readonly ReportedStatement[];
}

export interface ReportedStatement {
  /** When it ended. */
  readonly moment: string;
  readonly duration_ms: number;
  readonly sql: string;
  readonly collections: readonly string[];
  readonly plan: readonly string[] | null;
  readonly request_id: string | null;
  readonly failed: boolean;
  /** How many slow statements since the previous entry are not listed. */
  readonly unlogged: number;
}

/** Descriptions of the service, which `service/describe` and GraphQL draw. */
export interface ServerDeps {
  /** The details for administrators, the bare status for all other callers. */
  health(caller: Caller): Promise<{ readonly status: string }>;
  /** Whether requests may be sent here, as far as is known without asking the database. */
  isReady(): boolean;
  /** In the text format of Prometheus. */
  metrics(): string;
  /** Those of this process. */
  slowStatements(): SlowStatementReport;
  info(caller: Caller): Promise<Readonly<Record<string, unknown>>>;
  /** `url`: the address by which the caller reached the service. */
  openApi(caller: Caller, url: string): Promise<Readonly<Record<string, unknown>>>;
  /** What the caller may read, as TypeScript. */
  types(caller: Caller): string;
  /** The caller's GraphQL schema in the schema language. */
  graphqlSchema(caller: Caller, scope: 'items' | 'system'): Promise<string>;
  /** Names of what the caller may read that differ in GraphQL. */
  graphqlAliases(caller: Caller): readonly GraphqlAlias[];
}

/** A collection, or a field of it, whose GraphQL name differs from its own. */
export interface GraphqlAlias {
  readonly collection: string;
  /** Null: the collection itself. */
  readonly field: string | null;
  readonly name: string;
}

/** An extension that takes part in this service. */
export interface LoadedExtension {
  readonly name: string;
  readonly version: string | null;
  /** The file it came from; `createService` for one that an application around the service has handed over. */
  readonly source: string;
  /** Its moments, by collection. */
  readonly hooks: Readonly<Record<string, readonly string[]>>;
  readonly endpoints: readonly LoadedEndpoint[];
}

interface LoadedEndpoint {
  readonly method: string;
  readonly path: string;
  /** The id of the operation, and its field in GraphQL. */
  readonly operation: string;
  readonly dryRun: boolean;
}

export interface OperationDeps extends ItemDeps, Pick<ExplainAccessDeps, 'resolveStored'> {
  readonly idempotency: Idempotency;
  readonly auth: AuthContext;
  readonly authenticator: Authenticator;
  /** Logins by providers. */
  readonly signOn: SignOnDeps;
  readonly versions: VersionDeps;
  readonly exports: ExportDeps;
  readonly server: ServerDeps;
  readonly files: FilesDeps;
  readonly structure: Structure;
  readonly automation: Automation;
  readonly extensions: readonly LoadedExtension[];
  readonly syncIds: SystemRows<RowOf<typeof syncIds>>;
  /** What snapshots say of their maker. */
  readonly origin: { readonly tain: string; readonly directus?: string; readonly vendor: string };
  /** Reads the structure of the database again. */
  clearCache(): Promise<void>;
}
