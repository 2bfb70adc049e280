// Checks what an extension is made of, before the service starts: each fault is a sentence that names the place and says what to do.

import { isPlainObject } from '../../core/util/plain-object.js';

const members = ['name', 'version', 'hooks', 'endpoints'] as const;
const moments = ['before', 'after', 'committed', 'durable'] as const;
const endpointMembers = ['summary', 'input', 'output', 'open', 'transaction', 'agents', 'id', 'run'] as const;

const extensionName = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const longestName = 40;

/** None: it is an extension. */
export function faultsOf(value: unknown): readonly string[] {
  if (!isPlainObject(value)) return ['is no object: export what defineExtension returns as the default'];
  const { name, version, hooks, endpoints } = value;
  return [
    ...strayMembers('', value, members),
    ...(typeof name === 'string' && extensionName.test(name) && name.length <= longestName
      ? []
      : [`name has to be lower-case letters, digits and hyphens, at most ${longestName}`]),
    ...(version === undefined || typeof version === 'string' ? [] : ['version has to be text']),
    ...eachOf('hooks', hooks, hookFaults),
    ...eachOf('endpoints', endpoints, endpointFaults),
  ];
}

function eachOf(
  name: string,
  value: unknown,
  check: (place: string, key: string, member: unknown) => readonly string[],
): readonly string[] {
  if (value === undefined) return [];
  if (!isPlainObject(value)) return [`${name} has to be an object`];
  return Object.entries(value).flatMap(([key, member]) => check(`${name}["${key}"]`, key, member));
}

function hookFaults(place: string, _collection: string, hooks: unknown): readonly string[] {
  if (!isPlainObject(hooks)) return [`${place} has to be an object with ${listed(moments)}`];
  return [
    ...strayMembers(place, hooks, moments),
    ...moments.flatMap((moment) =>
      hooks[moment] === undefined || typeof hooks[moment] === 'function' ? [] : [`${place}.${moment} has to be a function`],
    ),
  ];
}

const addressForm = /^(?:GET|POST|PATCH|DELETE) \/(?:[a-z0-9-]+|\{[a-z]\w*\})(?:\/(?:[a-z0-9-]+|\{[a-z]\w*\}))*$/;

function endpointFaults(place: string, address: string, endpoint: unknown): readonly string[] {
  if (!isPlainObject(endpoint)) return [`${place} has to be an object with output, open and run`];
  const { summary, input = {}, output, open, transaction, agents, id, run } = endpoint;
  const fault = (isRight: boolean, what: string): readonly string[] => (isRight ? [] : [`${place}${what}`]);
  const shapes = isPlainObject(input) ? Object.entries(input) : [];
  const inPath = [...address.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return [
    ...strayMembers(place, endpoint, endpointMembers),
    ...fault(
      addressForm.test(address),
      ' is no address: "POST /quote", with GET, POST, PATCH or DELETE, lower-case words, and {names} of the input',
    ),
    ...fault(isPlainObject(input), '.input has to be an object of shapes'),
    ...shapes.flatMap(([member, shape]) =>
      fault(isShape(shape), `.input.${member} has to be a shape: shapes.text(), shapes.integer(0, 9)`),
    ),
    ...inPath.flatMap((name) =>
      fault(
        shapes.some(([member]) => member === name),
        ` has {${name}} in its path and not in its input`,
      ),
    ),
    ...fault(isShape(output), '.output has to be a shape, shapes.nothing if there is nothing to answer'),
    ...fault(areRules(open), '.open says who may call it: "everybody", "users", "administrators", or { collection, action }'),
    ...fault(transaction === undefined || typeof transaction === 'boolean', '.transaction has to be true or false'),
    ...fault(transaction !== true || !address.startsWith('GET '), '.transaction: GET only reads, so it has none'),
    ...fault(agents === undefined || typeof agents === 'boolean', '.agents has to be true or false'),
    ...fault(summary === undefined || typeof summary === 'string', '.summary has to be text'),
    ...fault(
      id === undefined || (typeof id === 'string' && /^[a-z][a-z0-9_]*$/.test(id)),
      '.id has to be lower-case letters, digits and underscores',
    ),
    ...fault(typeof run === 'function', '.run has to be a function'),
  ];
}

const isShape = (value: unknown): boolean =>
  isPlainObject(value) &&
  typeof value['parse'] === 'function' &&
  isPlainObject(value['facts']) &&
  typeof value['facts']['kind'] === 'string';

const plainRules: readonly unknown[] = ['everybody', 'users', 'administrators'];
const actions: readonly unknown[] = ['create', 'read', 'update', 'delete'];

const areRules = (open: unknown): boolean => (Array.isArray(open) ? open.length > 0 && open.every(isRule) : isRule(open));
const isRule = (rule: unknown): boolean =>
  plainRules.includes(rule) ||
  (isPlainObject(rule) &&
    typeof rule['collection'] === 'string' &&
    actions.includes(rule['action']) &&
    Object.keys(rule).every((member) => member === 'collection' || member === 'action'));

function strayMembers(place: string, value: Readonly<Record<string, unknown>>, known: readonly string[]): readonly string[] {
  const stray = Object.keys(value).filter((member) => !known.includes(member));
  return stray.map((member) => `${place === '' ? member : `${place}.${member}`} means nothing here; there are ${listed(known)}`);
}

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
