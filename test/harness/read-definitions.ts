// The structure of a database in the words of its own catalogue, for comparing two databases of one vendor.

import type { DirectAccess } from './direct-access.js';
import type { Vendor } from './vendors.js';

type Texts = readonly string[];

export async function readDefinitions({ name }: Vendor, direct: Pick<DirectAccess, 'sql'>): Promise<Texts> {
  if (name === 'mysql') return readMysql(direct);
  const text = name === 'sqlite' ? sqliteText : postgresText;
  return (await direct.sql(text)).map((row) => Object.values(row).map(String).join(' | '));
}

const sqliteText = `select * from (select type, name, sql from sqlite_schema where name not like 'sqlite_%' union all select 'counter', name, seq from sqlite_sequence) order by 1, 2`;

const postgresText = `select * from (
  select 'column' as kind, attrelid::regclass || '.' || attname as name, concat_ws(' ', a.attnum - (select count(*) from pg_attribute d where d.attrelid = a.attrelid and d.attisdropped and d.attnum between 1 and a.attnum), format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid)) as text
    from pg_attribute a join pg_class c on c.oid = attrelid and relkind in ('r', 'v') left join pg_attrdef on adrelid = attrelid and adnum = attnum where attnum > 0 and not attisdropped and relnamespace = 'public'::regnamespace
  union all select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace and contype in ('c', 'p', 'u', 'f')
  union all select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
  union all select 'view', viewname, definition from pg_views where schemaname = 'public'
  union all select 'trigger', tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select 'function', proname, pg_get_functiondef(p.oid) from pg_proc p where pronamespace = 'public'::regnamespace and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
  union all select 'counter', sequencename, concat_ws(' ', data_type, last_value, increment_by) from pg_sequences where schemaname = 'public'
  union all select 'comment', objoid::regclass::text, description from pg_description where classoid = 'pg_class'::regclass and objoid >= 16384
) x order by 1, 2, 3`;

async function readMysql({ sql }: Pick<DirectAccess, 'sql'>): Promise<Texts> {
  const tables = await sql(
    'select table_name as name, table_type as kind from information_schema.tables where table_schema = database() order by 1',
  );
  const texts: string[] = [];
  for (const { name, kind } of tables) {
    const [row = {}] = await sql(`show create ${kind === 'VIEW' ? 'view' : 'table'} \`${String(name)}\``);
    texts.push(withoutPlace(String(Object.values(row)[1])));
  }
  const triggers = await sql(
    'select trigger_name as name, action_statement as text from information_schema.triggers where trigger_schema = database() order by 1',
  );
  return [...texts, ...triggers.map(({ name, text }) => `${String(name)} ${String(text)}`)];
}

/** The name of the database itself, and who made a view. */
const withoutPlace = (text: string): string => text.replaceAll(/`tain_test_\w+`\./g, '').replace(/ DEFINER=\S+/, '');
