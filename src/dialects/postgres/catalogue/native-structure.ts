// The structure of a PostgreSQL database as statements, from the catalogue's own texts of defaults, constraints, indexes, views and triggers.

import type { RawTable } from '../../../core/schema/raw.js';
import type { Cell, Connection } from '../../../core/vendor/driver.js';
import type { NativeStructure } from '../../../core/vendor/transfer.js';
import { quoteLiteral, quoteName, quoteTable } from '../types/quote.js';

/** What belongs to an extension comes with the extension. */
const notOfExtension = (catalogue: string, oid: string): string =>
  `NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = '${catalogue}'::regclass AND e.objid = ${oid} AND e.deptype = 'e')`;
const userSchema = "n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'";
const place = (name: string): string =>
  `CASE WHEN n.nspname = current_schema() THEN quote_ident(${name}) ELSE quote_ident(n.nspname) || '.' || quote_ident(${name}) END`;

const texts = {
  schemas: `SELECT 'CREATE SCHEMA IF NOT EXISTS ' || quote_ident(n.nspname) FROM pg_namespace n
    WHERE ${userSchema} AND n.nspname NOT IN ('public', current_schema()) AND ${notOfExtension('pg_namespace', 'n.oid')} ORDER BY 1`,
  extensions: `SELECT 'CREATE EXTENSION IF NOT EXISTS ' || quote_ident(extname) FROM pg_extension WHERE extname <> 'plpgsql' ORDER BY oid`,
  enums: `SELECT 'CREATE TYPE ' || ${place('t.typname')} || ' AS ENUM (' || string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder) || ')'
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace JOIN pg_enum e ON e.enumtypid = t.oid
    WHERE ${userSchema} AND ${notOfExtension('pg_type', 't.oid')} GROUP BY t.oid, t.typname, n.nspname ORDER BY t.oid`,
  domains: `SELECT 'CREATE DOMAIN ' || ${place('t.typname')} || ' AS ' || format_type(t.typbasetype, t.typtypmod)
      || coalesce(' DEFAULT ' || t.typdefault, '') || CASE WHEN t.typnotnull THEN ' NOT NULL' ELSE '' END
      || coalesce((SELECT string_agg(' CONSTRAINT ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid), '' ORDER BY k.conname)
         FROM pg_constraint k WHERE k.contypid = t.oid AND k.contype = 'c'), '')
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
    WHERE t.typtype = 'd' AND ${userSchema} AND ${notOfExtension('pg_type', 't.oid')} ORDER BY t.oid`,
  functions: `SELECT pg_get_functiondef(p.oid) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE p.prokind IN ('f', 'p') AND ${userSchema} AND ${notOfExtension('pg_proc', 'p.oid')} ORDER BY p.oid`,
  sequences: `SELECT 'CREATE SEQUENCE ' || ${place('c.relname')} || ' AS ' || format_type(s.seqtypid, NULL) || ' INCREMENT ' || s.seqincrement
      || ' MINVALUE ' || s.seqmin || ' MAXVALUE ' || s.seqmax || ' START ' || s.seqstart || ' CACHE ' || s.seqcache
      || CASE WHEN s.seqcycle THEN ' CYCLE' ELSE '' END
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_sequence s ON s.seqrelid = c.oid
    WHERE ${userSchema} AND ${notOfExtension('pg_class', 'c.oid')}
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'i') ORDER BY c.oid`,
  owners: `SELECT 'ALTER SEQUENCE ' || d.objid::regclass::text || ' OWNED BY ' || d.refobjid::regclass::text || '.' || quote_ident(a.attname)
    FROM pg_depend d JOIN pg_class c ON c.oid = d.objid AND c.relkind = 'S' JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
    WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'a' AND ${userSchema} ORDER BY c.oid`,
  counters: `SELECT 'SELECT setval(' || quote_literal(c.oid::regclass::text) || ', ' || coalesce(pg_sequence_last_value(c.oid), s.seqstart) || ', '
      || (pg_sequence_last_value(c.oid) IS NOT NULL) || ')'
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_sequence s ON s.seqrelid = c.oid
    WHERE ${userSchema} AND ${notOfExtension('pg_class', 'c.oid')} ORDER BY c.oid`,
  views: `SELECT 'CREATE ' || CASE c.relkind WHEN 'm' THEN 'MATERIALIZED ' ELSE '' END || 'VIEW ' || ${place('c.relname')} || ' AS ' || pg_get_viewdef(c.oid)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('v', 'm') AND ${userSchema} AND ${notOfExtension('pg_class', 'c.oid')} ORDER BY c.oid`,
  triggers: `SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND ${userSchema} ORDER BY t.oid`,
} as const;

const columnsText = `SELECT json_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
    || CASE WHEN a.attcollation <> t.typcollation AND a.attcollation <> 0 THEN ' COLLATE ' || a.attcollation::regcollation::text ELSE '' END
    || CASE WHEN a.attgenerated <> '' THEN ' GENERATED ALWAYS AS (' || pg_get_expr(d.adbin, d.adrelid) || ') STORED'
       WHEN a.attidentity <> '' THEN ' GENERATED ' || CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END || ' AS IDENTITY'
         || coalesce((SELECT ' (SEQUENCE NAME ' || s.objid::regclass::text || ')' FROM pg_depend s WHERE s.classid = 'pg_class'::regclass
              AND s.refclassid = 'pg_class'::regclass AND s.refobjid = a.attrelid AND s.refobjsubid = a.attnum AND s.deptype = 'i'), '')
       ELSE coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') END
    || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END ORDER BY a.attnum)::text
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped`;

/** Keys first: foreign keys refer to them. Checks of NOT NULL, which PostgreSQL 18 lists, are part of the column. */
const constraintsText = `SELECT k.contype, 'CONSTRAINT ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid) FROM pg_constraint k
  WHERE k.conrelid = $1::regclass AND k.contype IN ('c', 'p', 'u', 'x', 'f') AND k.conparentid = 0 ORDER BY k.contype = 'f', k.contype <> 'p', k.conname`;
const indexesText = `SELECT pg_get_indexdef(i.indexrelid, 0, true) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid = $1::regclass AND i.indisvalid AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
  ORDER BY c.relname`;
const commentsText = `SELECT objsubid, coalesce(a.attname, ''), description FROM pg_description m
  LEFT JOIN pg_attribute a ON a.attrelid = m.objoid AND a.attnum = m.objsubid AND m.objsubid > 0
  WHERE m.classoid = 'pg_class'::regclass AND m.objoid = $1::regclass ORDER BY objsubid`;

export async function readNative(reading: Connection, tables: readonly RawTable[]): Promise<NativeStructure> {
  const list = async (text: string): Promise<readonly string[]> =>
    (await reading.rows({ kind: 'read', text, values: [] })).map(([cell]) => String(cell));
  const made: NativeTable[] = [];
  for (const table of tables) if (table.kind === 'table') made.push(await readTable(reading, table));
  return {
    before: [
      ...(await list(texts.schemas)),
      ...(await list(texts.extensions)),
      ...(await list(texts.enums)),
      ...(await list(texts.domains)),
      ...(await list(texts.sequences)),
      // A function may refer to tables that are made later; a default may call it.
      'SET LOCAL check_function_bodies = off',
      ...(await list(texts.functions)),
      ...made.map(({ create }) => create),
      ...(await list(texts.owners)),
    ],
    after: [
      ...made.flatMap(({ keys }) => keys),
      ...made.flatMap(({ indexes }) => indexes),
      ...made.flatMap(({ foreignKeys }) => foreignKeys),
      ...made.flatMap(({ comments }) => comments),
      ...(await list(texts.counters)),
      ...(await list(texts.views)),
      ...(await list(texts.triggers)),
    ],
    missing: tables
      .filter(({ partitionedBy }) => partitionedBy.length > 0)
      .map(({ name }) => `the partitions of "${name}": it becomes one table with all rows`),
  };
}

interface NativeTable {
  readonly create: string;
  readonly keys: readonly string[];
  readonly indexes: readonly string[];
  readonly foreignKeys: readonly string[];
  readonly comments: readonly string[];
}

async function readTable(reading: Connection, table: RawTable): Promise<NativeTable> {
  const name = quoteTable(table);
  const read = (text: string): Promise<readonly (readonly Cell[])[]> => reading.rows({ kind: 'read', text, values: [name] });
  const columns: readonly string[] = JSON.parse(String((await read(columnsText))[0]?.[0] ?? '[]'));
  const constraints = (await read(constraintsText)).map(([type, text]) => ({
    isForeign: type === 'f',
    text: `ALTER TABLE ${name} ADD ${String(text)}`,
  }));
  const of = (isForeign: boolean): readonly string[] =>
    constraints.filter((entry) => entry.isForeign === isForeign).map(({ text }) => text);
  const indexes = (await read(indexesText)).map(([text]) => String(text));
  const comments = (await read(commentsText)).map(([column, field, text]) => {
    const subject = Number(column) === 0 ? `TABLE ${name}` : `COLUMN ${name}.${quoteName(String(field))}`;
    return `COMMENT ON ${subject} IS ${quoteLiteral(String(text))}`;
  });
  return { create: `CREATE TABLE ${name} (${columns.join(', ')})`, keys: of(false), indexes, foreignKeys: of(true), comments };
}
