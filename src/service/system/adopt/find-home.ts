// Finds out whose tables a database has: the service's own, or those of another server, adopted by one row in the table of secrets.

import { setTimeout as sleep } from 'node:timers/promises';
import { systemRows } from '../../../core/engine/own-rows/system-rows.js';
import { adoptedHome, ownHome, type SystemHome, type Wire } from '../../../core/schema/system-home.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import { secrets } from '../../definitions/bookkeeping.js';
import { systemDefinitions } from '../../definitions/system-definitions.js';
import { OtherWire, readKept } from '../wire/kept-wire.js';
import { directusOf } from './directus.js';
import { AdoptionRefused } from './inspect.js';

/** The name of the row; its value is the prefix of the adopted tables. */
export const adoptionName = 'adopted';

/**
 * `wanted`: the wire that the settings name; null leaves it to the database, which keeps that of its first start. Throws `AdoptionRefused` if
 * the other server is running on the database as well, `OtherWire` if the database is kept on another one.
 */
export async function findHome(dialect: Dialect, schema: string | null, wanted: Wire | null): Promise<SystemHome> {
  if ((await readAdoption(dialect, ownHome(systemDefinitions, schema))) === null) {
    const { wire, isNew } = await readKept(dialect, schema);
    if (!isNew && wanted !== null && wanted !== wire) throw new OtherWire(wire, wanted);
    return ownHome(systemDefinitions, schema, isNew ? (wanted ?? wire) : wire);
  }
  if (wanted === 'tain') throw new OtherWire('directus', wanted);
  await refuseBothServers(dialect);
  const database = await dialect.introspect(dialect.driver);
  return adoptedHome(systemDefinitions, schema, directusOf(database), database);
}

/** Statements as the query builder of Directus writes them, with verbs in lower case and names in quotes, and the command that starts it. */
const ofDirectus = [/^(?:select|insert into|update|delete from) .*["`]directus_/s, /\bdirectus\b.* start\b/];

/**
 * Directus takes no lock, so it is recognised by its traces: on PostgreSQL by the last statement of a session, on MariaDB by the current
 * one, on SQLite (on Linux) by the command line of a process that has the file open.
 */
export async function refuseBothServers(dialect: Dialect): Promise<void> {
  if (!(await hasTrace(dialect, ofDirectus))) return;
  throw new AdoptionRefused(
    'Directus is running on this database: stop it first, since each of two servers would keep what the other has changed in its caches',
  );
}

const ofService = [/\bservice_epoch\b/, /(?:\btain|\bmain\.js) start\b/];
/**
 * A running service reads its epochs at least once a second, but a session shows only its last statement, so the sessions are checked
 * repeatedly for this long.
 */
const watchMs = 3_000;
/** The sessions of a service that has just ended may still be listed for this long. */
const leaveMs = 1_000;

/** Throws `AdoptionRefused` if the service itself seems to run on the database. */
export async function refuseRunningService(dialect: Dialect): Promise<void> {
  const since = performance.now();
  for (let watched = 0; watched < watchMs; watched = performance.now() - since) {
    if ((await hasTrace(dialect, ofService)) && watched > leaveMs)
      throw new AdoptionRefused('Tain is running on this database: stop it first, since it needs the tables that would be dropped');
    await sleep(50);
  }
}

const hasTrace = async (dialect: Dialect, patterns: readonly RegExp[]): Promise<boolean> =>
  (await dialect.tracesOfOthers(dialect.driver)).some((trace) => patterns.some((pattern) => pattern.test(trace)));

/** The prefix of the adopted tables; null: none are adopted, or the service is not installed yet. */
export async function readAdoption(dialect: Dialect, own: SystemHome): Promise<string | null> {
  try {
    const [row] = await systemRows(dialect.syntax, secrets, own).read(dialect.driver, ['value'], { name: adoptionName });
    return row?.value ?? null;
  } catch (error) {
    // Ignored here: the installation reports missing rights.
    if (error instanceof DatabaseError && (error.kind === 'stale-schema' || error.kind === 'denied')) return null;
    throw error;
  }
}
