// `tain wire`: keeps a database on another wire. Stored names of system collections are renamed in one transaction, in the service's tables
// and in junctions of the user's that may point at system collections. The wires differ in nothing else that is stored, so a switch back
// restores the database.

import { plainTable, systemRows, toStatement } from '../../../core/engine/own-rows/system-rows.js';
import type { SystemDefinition } from '../../../core/schema/system-definition.js';
import { ownHome, renamedFor, type SystemHome, type Wire } from '../../../core/schema/system-home.js';
import { collectionName } from '../../../core/schema/table-name.js';
import { type PlainTable, replaceValues } from '../../../core/sql/plain-rows.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { revisions } from '../../definitions/history.js';
import { access, permissions, policies } from '../../definitions/permissions.js';
import { relations } from '../../definitions/structure.js';
import { systemDefinitions } from '../../definitions/system-definitions.js';
import { readAdoption, refuseRunningService } from '../adopt/find-home.js';
import { AdoptionRefused } from '../adopt/inspect.js';
import { publicPolicyId } from '../ensure-administrator.js';
import { migrate } from '../migrate.js';
import { keepWire, readKept } from './kept-wire.js';
import { renameWithin } from './rename-within.js';

/** Why the database stays as it is, in one line. */
export class SwitchRefused extends Error {
  override readonly name = 'SwitchRefused';
}

interface Step {
  readonly dialect: Dialect;
  readonly connection: Connection;
  readonly system: SystemHome;
  readonly renamed: ReadonlyMap<string, string>;
}

/** Resolves to false if the database is kept on this wire already. `data`: the database of the user's, where it is another one. */
export async function switchWire(dialect: Dialect, data: Dialect | null, schema: string | null, wire: Wire): Promise<boolean> {
  const system = ownHome(systemDefinitions, schema);
  if ((await readAdoption(dialect, system)) !== null) {
    if (wire === 'directus') return false;
    throw new SwitchRefused('the tables are those of Directus, whose names the wire bears: `tain release` gives them back');
  }
  const kept = await readKept(dialect, schema);
  if (kept.isNew) throw new SwitchRefused(`no service was started on this database yet: start one with WIRE=${wire}`);
  if (kept.wire === wire) return false;
  await refuseWhileRunning(dialect);
  const renamed = renamedFor(wire, systemDefinitions);
  for (const each of data === null ? [dialect] : [dialect, data]) await refuseTaken(each, renamed, wire);
  await migrate(dialect, system);
  await dialect.exclusively(async (connection) => {
    const step = { dialect, connection, system, renamed };
    await renameJunctions(step);
    for (const definition of systemDefinitions) await renameColumns(step, definition);
    await renameRevisions(step);
    if (wire === 'directus') await nameThePublic(step);
    await keepWire(dialect, connection, { schema, wire });
  });
  return true;
}

async function refuseWhileRunning(dialect: Dialect): Promise<void> {
  try {
    await refuseRunningService(dialect);
  } catch (error) {
    if (error instanceof AdoptionRefused)
      throw new SwitchRefused('Tain is running on this database: stop it first, since requests would meet names of both wires');
    throw error;
  }
}

/** A table of the user's that bears the new name of a system collection would be hidden behind it. */
async function refuseTaken(dialect: Dialect, renamed: ReadonlyMap<string, string>, wire: Wire): Promise<void> {
  if (wire === 'tain') return;
  const { tables } = await dialect.introspect(dialect.driver, { schema: null, names: [...renamed.values()] });
  const [taken] = tables.filter(({ schema }) => schema === null);
  if (taken !== undefined)
    throw new SwitchRefused(`the database has a table ${taken.name}: rename it, or take over the tables of Directus with \`tain adopt\``);
}

async function renameColumns({ dialect: { syntax }, connection, system, renamed }: Step, definition: SystemDefinition): Promise<void> {
  const table = plainTable(system, definition);
  const named = definition.fields.filter(({ names }) => names);
  for (const { field } of named.filter(({ type }) => type === 'string'))
    await connection.run(toStatement(syntax, 'write', replaceValues(syntax, table, field, renamed)));
  const inside = named.filter(({ type }) => type !== 'string').map(({ field }) => field);
  if (inside.length === 0) return;
  const rows = systemRows(syntax, definition, system);
  const ids = (await rows.read(connection, ['id'])).map(({ id }) => id);
  await renameInRows(rows, connection, ids, inside, renameAll(renamed));
}

/** A portion of the rows is in memory at a time. */
async function renameInRows(
  rows: ReturnType<typeof systemRows>,
  connection: Connection,
  ids: readonly unknown[],
  columns: readonly string[],
  rename: (value: unknown) => unknown,
): Promise<void> {
  for (let at = 0; at < ids.length; at += portion) {
    const read = await rows.read(connection, ['id', ...columns], { id: ids.slice(at, at + portion) });
    for (const row of read) await renameInRow(rows, connection, row, columns, rename);
  }
}

async function renameInRow(
  rows: ReturnType<typeof systemRows>,
  connection: Connection,
  row: Readonly<Record<string, unknown>>,
  columns: readonly string[],
  rename: (value: unknown) => unknown,
): Promise<void> {
  const changed = columns.flatMap((column) => {
    const value = rename(row[column]);
    return value === row[column] ? [] : [[column, value] as const];
  });
  if (changed.length > 0) await rows.update(connection, Object.fromEntries(changed), { id: row['id'] });
}

const renameAll = (renamed: Step['renamed']) => (value: unknown) => renameWithin(value, (name) => renamed.get(name) ?? name);

/** One member of an item: the other texts of an item of the user's are the user's. */
function renameMember(item: unknown, member: string, renamed: Step['renamed']): unknown {
  if (!isPlainObject(item)) return item;
  const value = item[member];
  const name = typeof value === 'string' ? renamed.get(value) : undefined;
  return name === undefined ? item : { ...item, [member]: name };
}

/** The columns of a revision that hold an item, or a part of one. */
const texts = ['data', 'delta', 'previous'];

/** Rows that are held in memory at a time. */
const portion = 200;

/** Items of the service's own tables, as they were: they bear the names that their columns have. */
async function renameRevisions(step: Step): Promise<void> {
  const own = systemDefinitions.filter(({ fields }) => fields.some(({ names }) => names)).map(({ collection }) => collection);
  const names = [...step.renamed].filter((pair) => pair.some((name) => own.includes(name))).map(([, to]) => to);
  await renameRevisionsOf(step, names, renameAll(step.renamed));
}

async function renameRevisionsOf(
  { dialect: { syntax }, connection, system }: Step,
  collections: readonly string[],
  rename: (value: unknown) => unknown,
): Promise<void> {
  const rows = systemRows(syntax, revisions as SystemDefinition, system);
  const ids = (await rows.read(connection, ['id'], { collection: collections })).map(({ id }) => id);
  await renameInRows(rows, connection, ids, texts, rename);
}

/** A junction of a many-to-any says in one of its columns which collection an item points at. */
async function renameJunctions(step: Step): Promise<void> {
  const { dialect, connection, system, renamed } = step;
  const { syntax } = dialect;
  const rows = await systemRows(syntax, relations, system).read(connection, [
    'many_collection',
    'one_collection_field',
    'one_allowed_collections',
  ]);
  for (const { many_collection: many, one_collection_field: field, one_allowed_collections: allowed } of rows) {
    if (many === null || field === null || !(allowed ?? []).some((name) => renamed.has(name))) continue;
    const [schema = null, name = many] = many.includes('.')
      ? [many.slice(0, many.indexOf('.')), many.slice(many.indexOf('.') + 1)]
      : [null, many];
    const { tables } = await dialect.introspect(connection, { schema, names: [name] });
    const found = tables.find((table) => collectionName(table) === many);
    if (found === undefined) continue;
    const table: PlainTable = { table: found, types: new Map([[field, 'string']]), columns: null };
    await connection.run(toStatement(syntax, 'write', replaceValues(syntax, table, field, renamed)));
    await renameRevisionsOf(step, [many], (value) => renameMember(value, field, renamed));
  }
}

/** Databases of earlier revisions have a policy of the public with an id of their own; clients of this wire know it by one id. */
async function nameThePublic({ dialect: { syntax }, connection, system }: Step): Promise<void> {
  const [all, links] = [systemRows(syntax, policies, system), systemRows(syntax, access, system)];
  if ((await all.read(connection, ['id'], { id: publicPolicyId })).length > 0) return;
  const [link] = await links.read(connection, ['policy'], { role: null, user: null });
  const [policy] = link === undefined ? [] : await all.read(connection, 'all', { id: link.policy });
  if (policy === undefined) return;
  await all.insert(connection, [{ ...policy, id: publicPolicyId }]);
  await links.update(connection, { policy: publicPolicyId }, { policy: policy.id });
  await systemRows(syntax, permissions, system).update(connection, { policy: publicPolicyId }, { policy: policy.id });
  await all.delete(connection, { id: policy.id });
}
