// The input of every planner: the catalogue, the metadata and the permissions of one moment. A change reads them in the transaction that
// runs it (change/load-state.ts), so that no plan rests on a structure that another process has changed meanwhile.

import { buildSchema } from '../../../core/schema/build/build-schema.js';
import type { MetaRow } from '../../../core/schema/meta-row.js';
import type { RawDatabase } from '../../../core/schema/raw.js';
import type { Metadata, Schema } from '../../../core/schema/schema.js';
import type { SystemHome } from '../../../core/schema/system-home.js';
import type { Ddl } from '../../../core/vendor/ddl.js';

/** What planners know of the vendor and the service; the same for all changes. */
export interface PlanOptions {
  readonly ddl: Ddl;
  readonly system: SystemHome;
}

interface StructureFacts {
  readonly database: RawDatabase;
  readonly metadata: Metadata;
  /** Rows of service_permissions. */
  readonly permissions: readonly MetaRow[];
}

export interface StructureState extends PlanOptions, StructureFacts {
  readonly schema: Schema;
}

export function makeState({ ddl, system }: PlanOptions, { database, metadata, permissions }: StructureFacts): StructureState {
  // Versions of schemas identify cached plans; nothing is cached for this one.
  const schema = buildSchema(0, database, metadata, system);
  return { ddl, system, database, metadata, permissions, schema };
}
