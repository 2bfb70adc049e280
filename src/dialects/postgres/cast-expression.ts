// How the values of a column become those of another type: PostgreSQL's own cast where it has one, through text where it has not.

import { quoteName } from './quoting.js';

const families: Readonly<Record<string, string>> = {
  'character varying': 'text',
  character: 'text',
  text: 'text',
  citext: 'text',
  name: 'text',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  real: 'number',
  'double precision': 'number',
  numeric: 'number',
  date: 'moment',
  'timestamp without time zone': 'moment',
  'timestamp with time zone': 'moment',
  json: 'json',
  jsonb: 'json',
  boolean: 'boolean',
  'time without time zone': 'time',
};

/**
 * `from` and `to` are types without length: an explicit cast to varchar(3) cuts values without a word, while the assignment of a
 * longer text to such a column is refused.
 */
export function castExpression(column: string, from: string, to: string): string {
  const value = quoteName(column);
  const [source, aim] = [families[from], families[to]];
  if (source === 'boolean' && aim === 'number') return `${value}::integer::${to}`;
  if (source === 'number' && aim === 'boolean') return `${value} <> 0`;
  const direct = source === aim || source === 'text' || aim === 'text' || (source === 'moment' && aim === 'time');
  return direct && source !== undefined ? `${value}::${to}` : `${value}::text::${to}`;
}
