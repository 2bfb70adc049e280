// Inspects the database of another server before its tables are adopted: what prevents an adoption, what will work, and what will not and
// why. It only reads.

import { systemRows } from '../../../core/engine/own-rows/system-rows.js';
import type { RawDatabase } from '../../../core/schema/raw.js';
import { type SystemDefinition, systemPrefix } from '../../../core/schema/system-definition.js';
import type { SystemHome } from '../../../core/schema/system-home.js';
import { render, sql } from '../../../core/sql/sql.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import { normaliseEmail } from '../../auth/email.js';
import { findStepType } from '../../automation/steps/step-types.js';
import { users } from '../../definitions/accounts.js';
import { boolean, define } from '../../definitions/define.js';
import { files } from '../../definitions/files.js';
import { flows, operations } from '../../definitions/flows.js';
import { directusVersion, directusPrefix as prefix } from './directus.js';
import { findLostChanges } from './lost-changes.js';

/** One line about the database. `warning`: something will not work as before. */
export interface Finding {
  readonly kind: 'fact' | 'warning';
  readonly text: string;
}

/** Why the tables cannot be adopted, in one line; nothing was written. */
export class AdoptionRefused extends Error {
  override readonly name = 'AdoptionRefused';
}

/** The tables without which an adoption makes no sense: users could not sign in, or there would be nothing to show. */
const essential = [
  'access',
  'activity',
  'collections',
  'fields',
  'files',
  'folders',
  'permissions',
  'policies',
  'presets',
  'relations',
  'revisions',
  'roles',
  'settings',
  'users',
];

/** Throws `AdoptionRefused` when the catalogue shows no complete set of tables. */
export function checkTables(database: RawDatabase, definitions: readonly SystemDefinition[]): void {
  const tables = new Map(database.tables.filter((table) => table.schema === null).map((table) => [table.name, table]));
  const has = (name: string): boolean => tables.has(`${prefix}${name}`);
  if (!has('collections') && !has('users')) throw new AdoptionRefused('the database has no tables of Directus: there is nothing to adopt');
  if (tables.has(`${systemPrefix}users`))
    throw new AdoptionRefused(
      `the service has already made tables of its own here (${systemPrefix}users); drop the tables that begin with ${systemPrefix}, or adopt a copy made before its first start`,
    );
  if (!has('policies') || !has('access'))
    throw new AdoptionRefused(
      `the tables are those of Directus 10 or older (no ${prefix}policies): start version 11 on the database once, which migrates it`,
    );
  const missing = essential.filter((name) => !has(name));
  if (missing.length > 0)
    throw new AdoptionRefused(`the tables are incomplete: ${missing.map((name) => `${prefix}${name}`).join(', ')} missing`);
  for (const definition of definitions.filter(({ internal }) => !internal)) {
    const name = `${prefix}${definition.collection.slice(systemPrefix.length)}`;
    const columns = tables.get(name)?.columns.map((column) => column.name);
    const lost = definition.fields.filter(
      (field) => !field.hidden && isNeeded(definition, field.field) && columns?.includes(field.field) === false,
    );
    if (lost.length > 0)
      throw new AdoptionRefused(
        `${name} has no column ${lost.map(({ field }) => `"${field}"`).join(', ')}: a migration of Directus stopped half way, finish it first`,
      );
  }
}

/** What every version since 11 has: keys, what must have a value, and what a row points at. */
const isNeeded = ({ primaryKey, fields, relations }: SystemDefinition, name: string): boolean =>
  primaryKey.includes(name) ||
  relations.some(({ field }) => field === name) ||
  fields.some(({ field, nullable, default: preset }) => field === name && !nullable && preset === null);

/** Throws `AdoptionRefused` when two accounts could not be distinguished, or new revisions would get numbers that are in use. */
export async function inspect(
  dialect: Dialect,
  system: SystemHome,
  database: RawDatabase,
  storages: readonly string[],
  providers: readonly string[],
): Promise<readonly Finding[]> {
  const accounts = await systemRows(dialect.syntax, users, system).read(dialect.driver, ['email', 'provider', 'token', 'tfa_secret']);
  checkAddresses(accounts.flatMap(({ email }) => email ?? []));
  await checkNumbers(dialect);
  const fact = (text: string): Finding => ({ kind: 'fact', text });
  const warning = (text: string): Finding => ({ kind: 'warning', text });
  const others = countBy(
    accounts.filter(({ provider }) => provider !== 'default' && !providers.includes(provider)).map(({ provider }) => provider),
  );
  const stored = await systemRows(dialect.syntax, files, system).read(dialect.driver, ['storage']);
  const places = countBy(stored.map(({ storage }) => storage));
  const elsewhere = places.filter(([name]) => !storages.includes(name));
  const all = await systemRows(dialect.syntax, flows, system).read(dialect.driver, ['id', 'status']);
  const active = all.filter(({ status }) => status === 'active');
  const steps =
    active.length === 0
      ? []
      : await systemRows(dialect.syntax, operations, system).read(dialect.driver, ['type'], { flow: active.map(({ id }) => id) });
  const unknownSteps = [...new Set(steps.map(({ type }) => type))].filter((type) => findStepType(type) === null);
  const enabled = await countExtensions(dialect, system, database);
  const own = database.tables.filter((table) => !system.isReserved(table)).length;
  const tokens = accounts.filter(({ token }) => token !== null).length;
  const lost = await findLostChanges(dialect, system, database);
  const factors = accounts.filter(({ tfa_secret: secret }) => secret !== null).length;
  return [
    fact(`tables of Directus ${directusVersion(database)}, ${count(own, 'table')} of the project`),
    fact(
      `${count(accounts.length, 'user')}: passwords, ${count(tokens, 'static token')} and ${count(factors, 'second factor')} work unchanged; every user signs in once`,
    ),
    fact(
      `${count(stored.length, 'file')}${places.length === 0 ? '' : ` (${places.map(([name, number]) => `${number} in "${name}"`).join(', ')})`}`,
    ),
    ...elsewhere.map(([name, number]) =>
      warning(
        `${count(number, 'file')} in the storage "${name}" cannot be read: there is one folder and one S3 bucket, and STORAGE_NAMES says what they are called`,
      ),
    ),
    ...others.map(([name, number]) =>
      warning(
        `${count(number, 'user')} of the provider "${name}" cannot sign in until AUTH_PROVIDERS names it with its settings; a password is not taken instead`,
      ),
    ),
    ...(enabled === 0
      ? []
      : [warning(`${count(enabled, 'extension')} will not run: interfaces and displays they bring stay named in the metadata`)]),
    ...(all.length === 0
      ? []
      : [fact(`${count(all.length, 'flow')}, ${active.length} active: they run as soon as this service serves the database`)]),
    ...(unknownSteps.length === 0
      ? []
      : [warning(`flows with operations that nobody knows here end where such an operation is reached: ${unknownSteps.join(', ')}`)]),
    ...(lost.versions === 0
      ? []
      : [
          warning(
            `${count(lost.versions, 'version')} with changes to fields that are gone: without these changes they are read and promoted (${lost.fields.join(', ')})`,
          ),
        ]),
    ...unknownColumns(database, system).map((text) => fact(text)),
  ];
}

function checkAddresses(addresses: readonly string[]): void {
  const twice = countBy(addresses.map(normaliseEmail)).filter(([, number]) => number > 1);
  const [first] = twice;
  if (first !== undefined)
    throw new AdoptionRefused(
      `${count(twice.length, 'address', 'addresses')} of users differ only by case (${first[0]}): change one of each, since addresses are compared without case here`,
    );
}

/** A revision gets the number of its activity (history-rows.ts), which under Directus is never the lower one of the two. */
async function checkNumbers({ driver, syntax }: Dialect): Promise<void> {
  const highest = async (name: string): Promise<bigint> => {
    const statement = sql`SELECT COALESCE(MAX(${syntax.identifier('id')}), 0) FROM ${syntax.table({ schema: null, name })}`;
    const [row] = await driver.rows({ kind: 'read', values: [], ...render(statement, (index) => syntax.placeholder(index)) });
    return BigInt(String(row?.[0] ?? 0));
  };
  const [activity, revision] = [await highest(`${prefix}activity`), await highest(`${prefix}revisions`)];
  if (revision > activity)
    throw new AdoptionRefused(
      `${prefix}revisions has numbers up to ${revision}, ${prefix}activity only up to ${activity}, and a new revision gets the number of its activity: insert a row with the id ${revision + 1n} into ${prefix}activity first`,
    );
}

const extensions = define('directus_extensions', { note: '', fields: [boolean('enabled', true)] });

async function countExtensions(dialect: Dialect, system: SystemHome, database: RawDatabase): Promise<number> {
  const name = extensions.collection;
  if (!database.tables.some((table) => table.name === name && table.schema === null)) return 0;
  const place = { ...system, find: () => ({ table: { schema: null, name }, definition: extensions, columns: null, lacking: [] }) };
  return (await systemRows(dialect.syntax, extensions, place).read(dialect.driver, ['enabled'], { enabled: true })).length;
}

/** Columns of system tables that neither a definition nor the project's metadata mentions. They are kept and not shown. */
function unknownColumns(database: RawDatabase, { adopted, definitions }: SystemHome): readonly string[] {
  if (adopted === null) return [];
  return definitions.flatMap(({ collection, internal, fields }) => {
    const table = internal ? undefined : database.tables.find((one) => one.schema === null && one.name === collection);
    const unknown = (table?.columns ?? []).filter(({ name }) => !fields.some(({ field }) => field === name)).map(({ name }) => name);
    return unknown.length === 0
      ? []
      : [`${collection}: ${count(unknown.length, 'column')} of its own or without use here: ${unknown.join(', ')}`];
  });
}

const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`;

function countBy(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
