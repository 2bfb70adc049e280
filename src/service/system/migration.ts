// A numbered change of the system tables. Where DDL commits by itself a start may be interrupted in the middle, so every migration
// asks what is there already and does only the rest.

import type { RawDatabase } from '../../core/schema/raw.js';
import type { SystemDefinition } from '../../core/schema/system-definition.js';
import type { StructureChange } from '../../core/vendor/ddl.js';
import type { Dialect } from '../../core/vendor/dialect.js';
import type { Connection } from '../../core/vendor/driver.js';

export interface MigrationWork {
  readonly dialect: Dialect;
  readonly connection: Connection;
  readonly definitions: readonly SystemDefinition[];
  readonly systemSchema: string | null;
}

export interface Migration {
  readonly version: string;
  readonly name: string;
  run(work: MigrationWork): Promise<void>;
}

/** Runs the statements of one change; `before` is the structure as it is now. */
export async function applyChange(work: MigrationWork, change: StructureChange, before: RawDatabase): Promise<void> {
  for (const step of work.dialect.ddl.steps(change, before)) await work.connection.run({ text: step.text, values: [] });
}
