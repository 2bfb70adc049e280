// From a structured query (the body of SEARCH, a batch, what another door built) to the tree. The URL parser ends here too.

import { invalidQuery } from '../errors/service-error.js';
import { parseAliases } from './parse-alias.js';
import { parseArguments, readDeep } from './parse-arguments.js';
import { makeContext, type ParseContext } from './parse-context.js';
import { parseFields } from './parse-fields.js';
import { parseNames } from './parse-names.js';
import { type ExportFormat, exportFormats, type MetaField, metaFields, type ParsedQuery, type Query, type QueryLimits } from './query.js';
import { isStructure, type Structure } from './structure.js';

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
]);

const maxTextLength = 8192;

/** Strict about names: in a body an unknown one is a mistake, while a URL may carry parameters of others. */
export function parseQueryObject(input: unknown, limits: QueryLimits): ParsedQuery {
  if (!isStructure(input)) throw invalidQuery('The query has to be an object.');
  for (const key of Object.keys(input)) {
    if (!queryParameters.has(key)) throw invalidQuery(`"${key.slice(0, 40)}" is not a parameter of a query.`);
  }
  return parseParameters(input, limits);
}

/** Reads the known parameters and nothing else. */
export function parseParameters(input: Structure, limits: QueryLimits): ParsedQuery {
  const context = makeContext(limits);
  return {
    query: parseQuery(input, context),
    literals: context.literals,
    meta: parseMeta(input.meta, context),
    cursor: parseText(input.cursor, 'cursor'),
    export: parseExport(input.export),
    explain: parseSwitch(input.explain, 'explain', false),
    version: parseText(input.version, 'version'),
  };
}

function parseQuery(input: Structure, context: ParseContext): Query {
  const { filter, sort, limit, offset, page, search, aggregate, groupBy, having } = input;
  const deep = input.deep === undefined ? null : readDeep(input.deep, context);
  const query = parseArguments({ filter, sort, limit, offset, page, search, aggregate, groupBy, having }, deep, context, 0);
  const aliases = input.alias === undefined && deep === null ? null : parseAliases(input.alias, deep, context);
  return { ...query, fields: parseFields(input.fields, aliases, context), backlink: parseSwitch(input.backlink, 'backlink', true) };
}

/** `*` asks for the counts. */
function parseMeta(value: unknown, context: ParseContext): readonly MetaField[] {
  const meta = new Set<MetaField>();
  for (const name of parseNames(value, 'meta', context)) {
    if (name === '*') meta.add('total_count').add('filter_count');
    else meta.add(findName(metaFields, name, 'meta'));
  }
  return [...meta];
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
