// Which writes a flow of the trigger `event` waits for.

import type { WriteAction } from '../../../core/engine/write/hooks.js';
import type { Collection, Schema } from '../../../core/schema/schema.js';
import type { Flow } from '../model/flow.js';

export interface Listener {
  readonly flow: Flow;
  /** The name under which hooks are registered. */
  readonly collection: string;
  readonly action: WriteAction;
}

/** Nothing that happens to them starts a flow: flows, what they leave behind, and what every write leaves behind. */
const silent: ReadonlySet<string> = new Set(['service_flows', 'service_operations', 'service_activity', 'service_revisions']);

const prefix = 'service_';

/** `filter`: before the write; `action`: after it. */
export const momentOf = ({ options }: Flow): 'filter' | 'action' => (options['type'] === 'filter' ? 'filter' : 'action');

export function listenersOf(flow: Flow, schema: Pick<Schema, 'collections'>): readonly Listener[] {
  if (flow.trigger !== 'event') return [];
  const named = textsOf(flow.options['collections']);
  const found = textsOf(flow.options['scope']).flatMap((scope) => targetsOf(scope, named));
  const listeners = found.map(([name, action]) => {
    const collection = schema.collections.get(name);
    return { flow, collection: collection?.codeName ?? name, action };
  });
  return listeners.filter(
    ({ collection, action }, index) =>
      !silent.has(collection) && listeners.findIndex((other) => other.collection === collection && other.action === action) === index,
  );
}

/** `items.create` of the collections that the flow names, or a whole event: `articles.items.create`, `folders.update`. */
function targetsOf(scope: string, named: readonly string[]): readonly (readonly [string, WriteAction])[] {
  const [, before = '', action] = /^(?:(.+)\.)?(create|update|delete)$/.exec(scope) ?? [];
  if (action === undefined) return [];
  const write = action as WriteAction;
  if (before === 'items') return named.map((name) => [name, write] as const);
  if (before === '') return [];
  return [[before.endsWith('.items') ? before.slice(0, -'.items'.length) : `${prefix}${before}`, write]];
}

const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((entry) => typeof entry === 'string');

/** The name of an event: `articles.items.create` for the user's collections, `folders.create` for ours. */
export function eventName({ name, codeName }: Pick<Collection, 'name' | 'codeName'>, action: WriteAction): string {
  const own = codeName ?? name;
  return own.startsWith(prefix) ? `${own.slice(prefix.length)}.${action}` : `${name}.items.${action}`;
}
