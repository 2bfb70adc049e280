// The catalogue in one statement: one row per table, with its columns, indexes, keys, checks and triggers as JSON arrays, whose shapes are the
// types below. introspect.ts resolves attribute numbers to names, which is cheaper than further joins here.

import type { ElementFacts } from '../types/vendor-facts.js';

/** If `sqlType` is a domain, `dataType` and `typmod` are those of its base type. `category`: pg_type.typcategory (A array, E enum, C row). */
export type ColumnFacts = readonly [
  attnum: number,
  name: string,
  sqlType: string,
  dataType: string,
  typmod: number,
  category: string,
  notNull: boolean,
  defaultText: string | null,
  identity: string,
  generated: string,
  comment: string | null,
  sequence: string | null,
  enumValues: readonly string[] | null,
  /** Whether the base type has an order; for an array, whether its elements have one. */
  ordered: boolean,
  /** The base type with its length. */
  exact: string,
  element: ElementFacts | null,
];

export type IndexFacts = readonly [
  name: string,
  attnums: readonly number[],
  unique: boolean,
  primary: boolean,
  partial: boolean,
  constraint: boolean,
  /** null: a plain index, which its columns describe. */
  definition: string | null,
];

export type ForeignKeyFacts = readonly [
  name: string,
  attnums: readonly number[],
  foreignOid: number,
  foreignAttnums: readonly number[],
  onDelete: string,
  onUpdate: string,
];

/** A check of the table, or of the domain of one of its columns. */
type CheckFacts = readonly [name: string, attnums: readonly number[]];

/** Bits as in pg_trigger.tgtype: 4 insert, 8 delete, 16 update. `silent`: a rule replaces inserts, so they return no key. */
export type TriggerFacts = readonly [events: number, before: number, silent: boolean];

export interface TableFacts {
  readonly oid: number;
  readonly schema: string | null;
  readonly name: string;
  readonly relkind: string;
  readonly estimatedRows: number;
  readonly comment: string | null;
  readonly columns: readonly ColumnFacts[];
  readonly indexes: readonly IndexFacts[];
  readonly foreignKeys: readonly ForeignKeyFacts[];
  readonly checks: readonly CheckFacts[];
  readonly partitionedBy: readonly number[];
  readonly triggers: TriggerFacts | null;
}

/** Behind the conditions of `tables`: those of one schema (null: the connection's) with these names, separated by commas. */
const namedTables = `AND nullif(n.nspname, current_schema()) IS NOT DISTINCT FROM $1::text AND c.relname = ANY (string_to_array($2, ',')::name[])`;

const textWhere = (restriction: string): string => `
WITH RECURSIVE tables AS MATERIALIZED (
  SELECT c.oid, nullif(n.nspname, current_schema()) AS schema, c.relname, c.relkind, c.reltuples, has_table_privilege(c.oid, 'SELECT') AS readable
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
    AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    ${restriction}
), attributes AS MATERIALIZED (
  SELECT a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.attidentity, a.attgenerated
  FROM tables r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
    AND (r.readable OR has_column_privilege(r.oid, a.attnum, 'SELECT'))
), bases AS (
  SELECT t.oid, t.typbasetype AS base, t.typtypmod AS typmod, t.typnotnull AS not_null, t.typdefault AS default_text
  FROM pg_type t WHERE t.typtype = 'd'
  UNION ALL
  SELECT b.oid, t.typbasetype, CASE WHEN b.typmod = -1 THEN t.typtypmod ELSE b.typmod END, b.not_null OR t.typnotnull, coalesce(b.default_text, t.typdefault)
  FROM bases b JOIN pg_type t ON t.oid = b.base AND t.typtype = 'd'
), domains AS (
  SELECT DISTINCT ON (b.oid) b.* FROM bases b JOIN pg_type t ON t.oid = b.base AND t.typtype <> 'd'
), enums AS (
  SELECT enumtypid, json_agg(enumlabel ORDER BY enumsortorder) AS labels FROM pg_enum GROUP BY enumtypid
), ordered AS (
  SELECT o.opcintype AS type FROM pg_opclass o JOIN pg_am m ON m.oid = o.opcmethod AND m.amname = 'btree' WHERE o.opcdefault
  UNION
  SELECT c.castsource FROM pg_cast c JOIN pg_opclass o ON o.opcintype = c.casttarget JOIN pg_am m ON m.oid = o.opcmethod AND m.amname = 'btree'
  WHERE o.opcdefault AND c.castmethod = 'b' AND c.castcontext = 'i' AND c.castsource::regtype::text NOT LIKE 'reg%'
), sequences AS (
  SELECT DISTINCT ON (d.refobjid, d.refobjsubid) d.refobjid AS attrelid, d.refobjsubid AS attnum, d.objid::regclass::text AS name
  FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
  WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0
), comments AS (
  SELECT objoid, objsubid, description FROM pg_description WHERE classoid = 'pg_class'::regclass
), columns AS (
  SELECT a.attrelid, json_agg(json_build_array(
    a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), format_type(t.oid, NULL),
    CASE WHEN d.oid IS NULL THEN a.atttypmod ELSE d.typmod END,
    t.typcategory,
    a.attnotnull OR coalesce(d.not_null, false), coalesce(pg_get_expr(x.adbin, x.adrelid), d.default_text),
    a.attidentity, a.attgenerated, m.description, s.name, e.labels,
    t.typtype IN ('e', 'r', 'm') OR coalesce(u.oid, t.oid) IN (SELECT type FROM ordered) OR coalesce(u.typtype, t.typtype) IN ('e', 'r', 'm'),
    format_type(t.oid, CASE WHEN d.oid IS NULL THEN a.atttypmod ELSE d.typmod END),
    CASE WHEN u.oid IS NOT NULL THEN json_build_array(format_type(u.oid, NULL), u.typcategory, v.typmod, w.labels) END) ORDER BY a.attnum) AS list
  FROM attributes a
  LEFT JOIN domains d ON d.oid = a.atttypid
  JOIN pg_type t ON t.oid = coalesce(d.base, a.atttypid)
  LEFT JOIN pg_type l ON l.oid = t.typelem AND t.typcategory = 'A' AND t.typlen = -1 AND l.typarray = t.oid
  LEFT JOIN domains v ON v.oid = l.oid
  LEFT JOIN pg_type u ON u.oid = coalesce(v.base, l.oid)
  LEFT JOIN enums w ON w.enumtypid = u.oid
  LEFT JOIN pg_attrdef x ON x.adrelid = a.attrelid AND x.adnum = a.attnum
  LEFT JOIN comments m ON m.objoid = a.attrelid AND m.objsubid = a.attnum
  LEFT JOIN sequences s ON s.attrelid = a.attrelid AND s.attnum = a.attnum
  LEFT JOIN enums e ON e.enumtypid = t.oid
  GROUP BY a.attrelid
), indexes AS (
  SELECT i.indrelid, json_agg(json_build_array(c.relname, (i.indkey::int2[])[0:i.indnkeyatts - 1], i.indisunique, i.indisprimary,
    i.indpred IS NOT NULL OR 0 = ANY (i.indkey::int2[]),
    EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = i.indrelid AND k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x')),
    CASE WHEN i.indpred IS NOT NULL OR 0 = ANY (i.indkey::int2[]) OR i.indnatts > i.indnkeyatts OR m.amname <> 'btree'
      THEN pg_get_indexdef(i.indexrelid) END) ORDER BY c.relname) AS list
  FROM tables r JOIN pg_index i ON i.indrelid = r.oid AND i.indisvalid JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
  GROUP BY i.indrelid
), keys AS (
  SELECT k.conrelid, json_agg(json_build_array(k.conname, k.conkey, k.confrelid::bigint, k.confkey, k.confdeltype, k.confupdtype) ORDER BY k.conname) AS list
  FROM tables r JOIN pg_constraint k ON k.conrelid = r.oid AND k.contype = 'f' AND k.conparentid = 0
  GROUP BY k.conrelid
), domain_members AS (
  SELECT oid, oid AS member FROM domains UNION SELECT oid, base FROM bases
), checks AS (
  SELECT x.oid, json_agg(json_build_array(x.name, x.attnums) ORDER BY x.name, x.attnums) AS list
  FROM (
    SELECT r.oid, k.conname AS name, coalesce(k.conkey, '{}') AS attnums FROM tables r JOIN pg_constraint k ON k.conrelid = r.oid AND k.contype = 'c'
    UNION ALL
    SELECT a.attrelid, k.conname, ARRAY[a.attnum]
    FROM attributes a
    JOIN domain_members m ON m.oid = a.atttypid
    JOIN pg_constraint k ON k.contypid = m.member AND k.contype = 'c'
  ) x GROUP BY x.oid
), triggers AS (
  SELECT x.oid, json_build_array(bit_or(x.events), bit_or(x.before), bool_or(x.silent)) AS list
  FROM (
    SELECT coalesce(pg_partition_root(t.tgrelid)::oid, t.tgrelid) AS oid, t.tgtype & 28 AS events,
      CASE WHEN t.tgtype & 3 = 3 THEN t.tgtype & 28 ELSE 0 END AS before, false AS silent
    FROM pg_trigger t WHERE NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')
    UNION ALL
    SELECT w.ev_class, e.event, CASE WHEN w.is_instead THEN e.event ELSE 0 END, w.is_instead AND w.ev_type = '3'
    FROM pg_rewrite w JOIN (VALUES ('2', 16), ('3', 4), ('4', 8)) AS e (kind, event) ON e.kind = w.ev_type::text
    WHERE w.ev_enabled IN ('O', 'A')
  ) x GROUP BY x.oid
)
SELECT json_build_object('oid', r.oid::bigint, 'schema', r.schema, 'name', r.relname, 'relkind', r.relkind, 'estimatedRows', r.reltuples, 'comment', m.description,
  'columns', coalesce(c.list, '[]'), 'indexes', coalesce(i.list, '[]'), 'foreignKeys', coalesce(k.list, '[]'),
  'checks', coalesce(h.list, '[]'), 'partitionedBy', coalesce(to_json(p.partattrs::int2[]), '[]'), 'triggers', g.list)::text
FROM tables r
LEFT JOIN columns c ON c.attrelid = r.oid
LEFT JOIN indexes i ON i.indrelid = r.oid
LEFT JOIN keys k ON k.conrelid = r.oid
LEFT JOIN checks h ON h.oid = r.oid
LEFT JOIN pg_partitioned_table p ON p.partrelid = r.oid
LEFT JOIN triggers g ON g.oid = r.oid
LEFT JOIN comments m ON m.objoid = r.oid AND m.objsubid = 0
ORDER BY r.schema NULLS FIRST, r.relname`;

export const catalogueText = textWhere('');

export const namedTablesText = textWhere(namedTables);
