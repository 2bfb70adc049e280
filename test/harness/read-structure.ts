// The structure of a database as its own catalogue states it, without the tables of the service: columns, keys, checks, indexes, triggers and
// views. Two equal answers mean that nothing was altered.

import type { DirectAccess } from './direct-access.js';
import type { VendorName } from './vendors.js';

const queries: Readonly<Record<VendorName, readonly string[]>> = {
  sqlite: [
    String.raw`select type, name, sql from sqlite_master where name <> 'sqlite_sequence' and name not like 'service\_%' escape '\' and tbl_name not like 'service\_%' escape '\' order by type, name`,
  ],
  postgres: [
    String.raw`select table_schema, table_name, column_name, ordinal_position, column_default, is_nullable, data_type, udt_name, domain_name, generation_expression from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema') and table_name not like 'service\_%' order by 1, 2, 4`,
    String.raw`select c.conrelid::regclass::text as place, c.conname, pg_get_constraintdef(c.oid) as text from pg_constraint c join pg_namespace n on n.oid = c.connamespace where n.nspname not in ('pg_catalog', 'information_schema') and c.conrelid::regclass::text not like 'service\_%' order by 1, 2`,
    String.raw`select schemaname, tablename, indexdef from pg_indexes where schemaname not in ('pg_catalog', 'information_schema') and tablename not like 'service\_%' order by 1, 2, 3`,
    `select t.tgrelid::regclass::text as place, pg_get_triggerdef(t.oid) as text from pg_trigger t where not t.tgisinternal order by 1, 2`,
  ],
  mysql: [
    String.raw`select table_name, column_name, ordinal_position, column_default, is_nullable, column_type, column_key, extra, collation_name, generation_expression from information_schema.columns where table_schema = database() and table_name not like 'service\\_%' order by 1, 3`,
    String.raw`select table_name, constraint_name, column_name, ordinal_position, referenced_table_name, referenced_column_name from information_schema.key_column_usage where table_schema = database() and table_name not like 'service\\_%' order by 1, 2, 4`,
    String.raw`select table_name, constraint_name, update_rule, delete_rule from information_schema.referential_constraints where constraint_schema = database() and table_name not like 'service\\_%' order by 1, 2`,
    String.raw`select /*M! table_name, */ constraint_name, check_clause from information_schema.check_constraints where constraint_schema = database() /*M! and table_name not like 'service\\_%' */ order by 1, 2`,
    String.raw`select table_name, index_name, seq_in_index, column_name, non_unique, index_type from information_schema.statistics where table_schema = database() and table_name not like 'service\\_%' order by 1, 2, 3`,
    'select trigger_name, event_object_table, action_timing, event_manipulation, action_statement from information_schema.triggers where trigger_schema = database() order by 1',
    "select table_name, replace(view_definition, concat('`', database(), '`.'), '') as text from information_schema.views where table_schema = database() order by 1",
  ],
};

export async function readStructure(vendor: VendorName, { sql }: Pick<DirectAccess, 'sql'>): Promise<unknown> {
  const answers: unknown[] = [];
  for (const query of queries[vendor]) answers.push(await sql(query));
  return answers;
}
