// Whether readers can see a commit that the log has: it is written to the log shortly before.

import { isAtOrAfter, type Place } from './binlog-layouts.js';
import type { OwnConnection } from './connection.js';

/** The end of a committed transaction. */
export interface LoggedCommit {
  readonly place: Place;
  /** MySQL: its name. */
  readonly gtid: string | null;
}

/** MySQL adds a transaction to the executed ones once its engine has committed it; MariaDB's snapshots have a place in the log. */
export async function isVisible(control: OwnConnection, { place, gtid }: LoggedCommit): Promise<boolean> {
  if (gtid === null) return isAtOrAfter(await snapshotPlace(control), place);
  const [row] = await control.rows(`SELECT GTID_SUBSET('${gtid}', @@global.gtid_executed)`);
  return Number(row?.[0]) === 1;
}

/** The position up to which a new snapshot sees the commits of the log. */
async function snapshotPlace(control: OwnConnection): Promise<Place> {
  await control.rows('START TRANSACTION WITH CONSISTENT SNAPSHOT');
  const rows = await control.rows("SHOW STATUS WHERE Variable_name IN ('Binlog_snapshot_file', 'Binlog_snapshot_position')");
  await control.rows('COMMIT');
  const values = new Map(rows.map(([name, value]) => [String(name).toLowerCase(), String(value)]));
  return { file: values.get('binlog_snapshot_file') ?? '', position: Number(values.get('binlog_snapshot_position')) };
}
