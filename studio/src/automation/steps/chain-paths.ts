// Which values of a run a step can name in its options: of what started the run, of who did, and of the steps before it. Pure.

import type { Collection, Schema } from '../../schema/model.js';
import { type Flow, type Options, type Step, stepsBefore } from '../flow-model.js';

export interface PathGroup {
  readonly kind: 'trigger' | 'last' | 'step' | 'caller';
  /** The key of the step. */
  readonly key: string;
  /** What names everything of it comes first. */
  readonly paths: readonly string[];
}

/** More are not looked through by anybody. */
const mostPaths = 60;

/** `id`: null for what is behind all steps. `results`: what steps left when the flow was tried out. */
export function pathsFor(schema: Schema, flow: Flow, id: string | null, results: Options = {}): readonly PathGroup[] {
  const before = id === null ? flow.operations : stepsBefore(flow, id);
  const trigger: PathGroup = { kind: 'trigger', key: '', paths: triggerPaths(schema, flow) };
  const groups: readonly PathGroup[] = [
    trigger,
    ...before.toReversed().map((step): PathGroup => ({ kind: 'step', key: step.key, paths: pathsOfStep(schema, step, results[step.key]) })),
    ...(before.length === 0 ? [] : [{ kind: 'last', key: '', paths: ['$last'] } as const]),
    { kind: 'caller', key: '', paths: ['$accountability.user', '$accountability.role', '$accountability.ip'] },
  ];
  return groups.filter(({ paths }) => paths.length > 0);
}

function triggerPaths(schema: Schema, { trigger, options }: Flow): readonly string[] {
  const below = (names: readonly string[]) => names.map((name) => `$trigger.${name}`);
  switch (trigger) {
    case 'event': {
      const scopes = listOf(options?.['scope']);
      const keys = [...(scopes.some((scope) => scope.endsWith('create')) ? ['key'] : []), 'keys', 'keys[0]'];
      const isDelete = scopes.length > 0 && scopes.every((scope) => scope.endsWith('delete'));
      const fields = isDelete ? [] : fieldsOf(schema.get(listOf(options?.['collections'])[0] ?? ''));
      return below(['payload', ...fields.map((field) => `payload.${field}`), ...keys, 'collection', 'event']).slice(0, mostPaths);
    }
    case 'webhook':
      return below(['body', 'query', 'headers', 'method', 'path']);
    case 'manual': {
      const asked = Array.isArray(options?.['fields']) ? options['fields'] : [];
      const names = asked.flatMap((field: unknown) => (isNamed(field) ? [`body.${field.field}`] : []));
      return below(['body', 'body.keys', 'body.keys[0]', 'body.collection', ...names]);
    }
    case 'operation':
      return ['$trigger'];
    default:
      return [];
  }
}

function pathsOfStep(schema: Schema, { key, type, options }: Step, result: unknown): readonly string[] {
  const seen = membersOf(result).map((name) => `${key}${name}`);
  const known = seen.length > 0 ? seen : usualMembers(schema, type, options).map((name) => `${key}${name}`);
  return [key, ...known].slice(0, mostPaths);
}

function usualMembers(schema: Schema, type: string, options: Options | null): readonly string[] {
  if (type === 'request') return ['.data', '.status', '.headers'];
  if (type === 'item-create') return ['[0]'];
  if (type !== 'item-read') return [];
  const isOne = typeof options?.['key'] === 'string' && options['key'] !== '';
  const fields = fieldsOf(schema.get(String(options?.['collection'] ?? '')));
  return [...(isOne ? [] : ['[0]']), ...fields.map((field) => `${isOne ? '' : '[0]'}.${field}`)];
}

function membersOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.length === 0 ? [] : ['[0]', ...membersOf(value[0]).map((name) => `[0]${name}`)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((name) => (/^[\w$-]+$/.test(name) ? [`.${name}`] : []));
}

const fieldsOf = (collection: Collection | undefined): readonly string[] =>
  collection?.fields.filter(({ column }) => column !== null).map(({ name }) => name) ?? [];

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const isNamed = (field: unknown): field is { readonly field: string } =>
  typeof field === 'object' && field !== null && 'field' in field && typeof field.field === 'string';
