// The catalogue in one statement: a row per table with its columns, indexes and foreign keys as JSON arrays. Attribute numbers are
// resolved to names in introspect.ts, which is cheaper than joining them here.

/** `dataType` and `typmod` are those of the base type where `sqlType` is a domain; `category` is pg_type's typcategory (A array, E enum). */
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
];

export type IndexFacts = readonly [
  name: string,
  attnums: readonly number[],
  unique: boolean,
  primary: boolean,
  partial: boolean,
  constraint: boolean,
];

export type ForeignKeyFacts = readonly [
  name: string,
  attnums: readonly number[],
  foreignOid: number,
  foreignAttnums: readonly number[],
  onDelete: string,
  onUpdate: string,
];

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
}

export const catalogueText = `
WITH RECURSIVE tables AS MATERIALIZED (
  SELECT c.oid, nullif(n.nspname, current_schema()) AS schema, c.relname, c.relkind, c.reltuples
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
    AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
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
    a.attidentity, a.attgenerated, m.description, s.name, e.labels) ORDER BY a.attnum) AS list
  FROM tables r
  JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN domains d ON d.oid = a.atttypid
  JOIN pg_type t ON t.oid = coalesce(d.base, a.atttypid)
  LEFT JOIN pg_attrdef x ON x.adrelid = a.attrelid AND x.adnum = a.attnum
  LEFT JOIN comments m ON m.objoid = a.attrelid AND m.objsubid = a.attnum
  LEFT JOIN sequences s ON s.attrelid = a.attrelid AND s.attnum = a.attnum
  LEFT JOIN enums e ON e.enumtypid = t.oid
  GROUP BY a.attrelid
), indexes AS (
  SELECT i.indrelid, json_agg(json_build_array(c.relname, (i.indkey::int2[])[0:i.indnkeyatts - 1], i.indisunique, i.indisprimary,
    i.indpred IS NOT NULL OR 0 = ANY (i.indkey::int2[]),
    EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = i.indrelid AND k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))) ORDER BY c.relname) AS list
  FROM tables r JOIN pg_index i ON i.indrelid = r.oid AND i.indisvalid JOIN pg_class c ON c.oid = i.indexrelid
  GROUP BY i.indrelid
), keys AS (
  SELECT k.conrelid, json_agg(json_build_array(k.conname, k.conkey, k.confrelid::bigint, k.confkey, k.confdeltype, k.confupdtype) ORDER BY k.conname) AS list
  FROM tables r JOIN pg_constraint k ON k.conrelid = r.oid AND k.contype = 'f' AND k.conparentid = 0
  GROUP BY k.conrelid
)
SELECT json_build_object('oid', r.oid::bigint, 'schema', r.schema, 'name', r.relname, 'relkind', r.relkind, 'estimatedRows', r.reltuples, 'comment', m.description,
  'columns', coalesce(c.list, '[]'), 'indexes', coalesce(i.list, '[]'), 'foreignKeys', coalesce(k.list, '[]'))::text
FROM tables r
LEFT JOIN columns c ON c.attrelid = r.oid
LEFT JOIN indexes i ON i.indrelid = r.oid
LEFT JOIN keys k ON k.conrelid = r.oid
LEFT JOIN comments m ON m.objoid = r.oid AND m.objsubid = 0
ORDER BY r.schema NULLS FIRST, r.relname`;
