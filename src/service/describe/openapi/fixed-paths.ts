// The paths that every installation has besides its collections, as far as they are open to the caller.

import type { SchemaView } from '../../../core/access/view.js';
import { collectionsFor, isOpen, type RuleCaller } from '../../operations/open-rule.js';
import { graphqlOperations } from './endpoint-operations.js';
import { text } from './fixed-operation.js';
import type { Json } from './json.js';
import { operation } from './operation.js';
import type { OperationRoute } from './operation-route.js';
import { addOperation, type PathItem } from './path-item.js';
import { type DescribedRoute, describeRoute } from './route-paths.js';

export function drawFixedPaths(caller: RuleCaller, routes: readonly OperationRoute[]): Readonly<Record<string, PathItem>> {
  const paths: Record<string, PathItem> = {};
  for (const entry of [...routes.flatMap(describeRoute), ...graphqlOperations]) {
    if (!entry.open.every((open) => isOpen(caller, open))) continue;
    const [method = '', path = ''] = entry.route.split(' ');
    paths[path] ??= pathParameters(caller.view, path, entry);
    addOperation(paths[path] ?? {}, method, operation(entry));
  }
  return paths;
}

const segments: Readonly<Record<string, string>> = {
  collection: 'Name of the collection.',
  field: 'Name of the field.',
  id: 'The key.',
};

function pathParameters(view: SchemaView, path: string, { open }: DescribedRoute): PathItem {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return {};
  const [some] = open.flatMap((rule) =>
    typeof rule !== 'object' || 'collection' in rule ? [] : ['some' in rule ? rule.some : rule.named],
  );
  const collection = some === undefined ? text : { enum: collectionsFor(view, some) };
  const schemaOf = (name: string): Json => (name === 'collection' ? collection : text);
  const parameter = (name: string): Json => ({ name, in: 'path', required: true, description: segments[name], schema: schemaOf(name) });
  return { parameters: names.map(parameter) };
}
