// A request as a command of a shell, and as a call of the client package.

import { type Schema, withoutPrefix } from '../schema/model.js';
import { type ApiRequest, isLong, type Origin, type Query, type Target, targetOf } from './api-request.js';
import { type Notation, printValue } from './print-value.js';

/** The token is the variable `TOKEN` of the shell. */
export function printCurl(request: ApiRequest, origin: Origin): string {
  const token = ['-H "Authorization: Bearer $TOKEN"'];
  const viewAs = origin.viewAs === null ? [] : [`-H ${quote(`X-View-As: ${origin.viewAs}`)}`];
  const sent = (body: object) => [`-H ${quote('Content-Type: application/json')}`, `--data-raw ${quote(JSON.stringify(body))}`];
  const lines = (first: string, rest: readonly string[]) => [first, ...token, ...viewAs, ...rest].join(' \\\n  ');
  if ('document' in request) return lines(`curl ${quote(`${origin.url}/graphql/system`)}`, sent({ query: request.document }));
  const { path, query = {} } = request;
  const url = quote(origin.url + path);
  if (isLong(query)) return lines(`curl -X SEARCH ${url}`, sent({ query }));
  return lines(
    `curl -G ${url}`,
    given(query).map(([name, value]) => `--data-urlencode ${quote(`${name}=${parameter(value)}`)}`),
  );
}

/** Between single quotes a shell takes everything as it is but the quote itself. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const given = (query: Query): readonly (readonly [string, unknown])[] => Object.entries(query).filter(([, value]) => value !== undefined);

/** Lists of names are joined, everything else that is no plain value is JSON. */
function parameter(value: unknown): string {
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string' && !entry.includes(','))) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function printSdk(schema: Schema, request: ApiRequest, origin: Origin): string {
  const isDocument = 'document' in request;
  const command = isDocument ? null : commandOf(schema, request.path, request.query ?? {});
  const transport = isDocument ? 'graphql' : 'rest';
  const names = ['createDirectus', 'staticToken', transport, ...(command?.names ?? [])].toSorted();
  const call = command === null ? `query(${templateOf(request)}, {}, 'system')` : `request(${command.call})`;
  return `import { ${names.join(', ')} } from '@directus/sdk';

const client = createDirectus(${printText(origin.url)})
  .with(staticToken(process.env.TOKEN))
  .with(${transport}(${origin.viewAs === null ? '' : headerOption(origin.viewAs)}));

const result = await client.${call};
`;
}

const headerOption = (viewAs: string): string =>
  `{ onRequest: (options) => ({ ...options, headers: { ...options.headers, 'X-View-As': ${printText(viewAs)} } }) }`;

const templateOf = (request: ApiRequest): string =>
  'document' in request ? `\`${request.document.replaceAll(/[\\`$]/g, String.raw`\$&`)}\`` : '';

interface Command {
  readonly names: readonly string[];
  readonly call: string;
}

function commandOf(schema: Schema, path: string, query: Query): Command {
  const read = readerOf(targetOf(schema, path), path);
  const options = given(query).length === 0 ? [] : [printValue(Object.fromEntries(given(query)), script)];
  const own =
    read === null
      ? `customEndpoint(${printValue({ path, method: 'GET', ...(options.length === 0 ? {} : { params: query }) }, script)})`
      : `${read.name}(${[...read.takes.map(printText), ...options].join(', ')})`;
  const name = read?.name ?? 'customEndpoint';
  return isLong(query) ? { names: [name, 'withSearch'], call: `withSearch(${own})` } : { names: [name], call: own };
}

interface Reader {
  readonly name: string;
  readonly takes: readonly string[];
}

/** Null: the package has no function for it. */
function readerOf(target: Target | null, path: string): Reader | null {
  const own = ownReaders[path];
  if (own !== undefined) return { name: own, takes: [] };
  if (target === null) return null;
  const { collection, key } = target;
  const { name, isSystem, singleton } = collection;
  if (!isSystem && singleton) return { name: 'readSingleton', takes: [name] };
  if (!isSystem) return key === null ? { name: 'readItems', takes: [name] } : { name: 'readItem', takes: [name, key] };
  const readers = systemReaders[withoutPrefix(name)];
  if (readers === undefined) return null;
  return key === null ? { name: `read${readers[0]}`, takes: [] } : { name: `read${readers[1]}`, takes: [key] };
}

const ownReaders: Readonly<Record<string, string>> = {
  '/settings': 'readSettings',
  '/collections': 'readCollections',
  '/fields': 'readFields',
  '/relations': 'readRelations',
  '/server/health': 'serverHealth',
};

/** What the package calls several and one. */
const systemReaders: Readonly<Record<string, readonly [string, string]>> = {
  activity: ['Activities', 'Activity'],
  comments: ['Comments', 'Comment'],
  dashboards: ['Dashboards', 'Dashboard'],
  files: ['Files', 'File'],
  folders: ['Folders', 'Folder'],
  notifications: ['Notifications', 'Notification'],
  panels: ['Panels', 'Panel'],
  permissions: ['Permissions', 'Permission'],
  policies: ['Policies', 'Policy'],
  presets: ['Presets', 'Preset'],
  revisions: ['Revisions', 'Revision'],
  roles: ['Roles', 'Role'],
  shares: ['Shares', 'Share'],
  translations: ['Translations', 'Translation'],
  users: ['Users', 'User'],
  versions: ['ContentVersions', 'ContentVersion'],
};

const printText = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;

const script: Notation = {
  indent: '  ',
  name: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : printText(name)),
  text: printText,
};
