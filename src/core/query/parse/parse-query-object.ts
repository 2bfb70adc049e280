// The entry for a query given as an object: the body of SEARCH, a batch, or a query that another door built. The URL parser ends here, too.

import { invalidQuery } from '../../errors/service-error.js';
import { isPlainObject, type PlainObject } from '../../util/plain-object.js';
import { type ExportFormat, exportFormats, type MetaField, metaFields, type ParsedQuery, type Query, type QueryLimits } from '../query.js';
import { versionOf } from '../version-key.js';
import { parseAliases } from './parse-alias.js';
import { parseArguments, readDeep } from './parse-arguments.js';
import { makeContext, type ParseContext } from './parse-context.js';
import { parseFields } from './parse-fields.js';
import { parseNames } from './parse-names.js';

export const queryParameters: ReadonlySet<string> = new Set([
  'fields',
  'filter',
  'sort',
  'limit',
  'offset',
  'page',
  'search',
  'aggregate',
  'groupBy',
  'having',
  'alias',
  'deep',
  'backlink',
  'meta',
  'cursor',
  'export',
  'explain',
  'version',
  'versionRaw',
]);

const maxTextLength = 8192;

/** Refuses unknown parameters: in a body they are mistakes, whereas a URL may carry parameters that belong to others. */
export function parseQueryObject(input: unknown, limits: QueryLimits): ParsedQuery {
  if (!isPlainObject(input)) throw invalidQuery('The query has to be an object.');
  for (const key of Object.keys(input)) {
    if (!queryParameters.has(key)) throw invalidQuery(`"${key.slice(0, 40)}" is not a parameter of a query.`);
  }
  return parseParameters(input, limits);
}

/** Reads the known parameters and ignores all others. */
export function parseParameters(input: PlainObject, limits: QueryLimits): ParsedQuery {
  const context = makeContext(limits);
  return {
    query: parseQuery(input, context),
    literals: context.literals,
    ...parseMeta(input.meta, context),
    cursor: parseText(input.cursor, 'cursor'),
    export: parseExport(input.export),
    explain: parseSwitch(input.explain, 'explain', false),
    version: versionOf(parseText(input.version, 'version')),
    versionRaw: parseSwitch(input.versionRaw, 'versionRaw', false),
  };
}

function parseQuery(input: PlainObject, context: ParseContext): Query {
  const { filter, sort, limit, offset, page, search, aggregate, groupBy, having } = input;
  const deep = input.deep === undefined ? null : readDeep(input.deep, context);
  const aliases = input.alias === undefined && deep === null ? null : parseAliases(input.alias, deep, context);
  const query = parseArguments({ filter, sort, limit, offset, page, search, aggregate, groupBy, having }, deep, aliases, context, 0);
  return { ...query, fields: parseFields(input.fields, aliases, context), backlink: parseSwitch(input.backlink, 'backlink', true) };
}

const boundedCount = 'filter_count_at_most:';
const mostCounted = 1_000_000;

/** `*` selects both counts; `filter_count_at_most:1000` the second one, which stops there, as do all counts beside it. */
function parseMeta(value: unknown, context: ParseContext): Pick<ParsedQuery, 'meta' | 'countAtMost'> {
  const meta = new Set<MetaField>();
  let countAtMost: number | null = null;
  for (const name of parseNames(value, 'meta', context)) {
    if (name === '*') meta.add('total_count').add('filter_count');
    else if (name.startsWith(boundedCount)) {
      countAtMost = parseBound(name.slice(boundedCount.length));
      meta.add('filter_count');
    } else meta.add(findName(metaFields, name, 'meta'));
  }
  return { meta: [...meta], countAtMost };
}

function parseBound(text: string): number {
  const bound = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (bound < 1 || bound > mostCounted)
    throw invalidQuery(`"meta" has to be ${boundedCount}N with a whole number from 1 to ${mostCounted}.`);
  return bound;
}

function parseExport(value: unknown): ExportFormat | null {
  const name = parseText(value, 'export');
  return name === null ? null : findName(exportFormats, name, 'export');
}

function findName<T extends string>(known: readonly T[], name: string, parameter: string): T {
  const found = known.find((candidate) => candidate === name);
  if (found === undefined) throw invalidQuery(`"${parameter}" has to be one of ${known.join(', ')}.`);
  return found;
}

function parseText(value: unknown, parameter: string): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || value.length > maxTextLength)
    throw invalidQuery(`"${parameter}" has to be one text of at most ${maxTextLength} characters.`);
  return value;
}

function parseSwitch(value: unknown, parameter: string, absent: boolean): boolean {
  if (value === undefined || value === null) return absent;
  if (value === true || value === 'true' || value === '1' || value === '') return true;
  if (value === false || value === 'false' || value === '0') return false;
  throw invalidQuery(`"${parameter}" has to be true or false.`);
}
