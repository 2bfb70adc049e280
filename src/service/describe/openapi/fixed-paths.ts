// What every installation has besides its collections, as far as it is open to this caller.

import type { SchemaView } from '../../../core/access/view.js';
import { type Asker, collectionsFor, isOpen } from './asker.js';
import { type FixedOperation, type FixedOperations, text } from './fixed-operation.js';
import type { Json } from './json.js';
import { operation } from './operation.js';
import { accountOperations } from './operations/account-operations.js';
import { authOperations } from './operations/auth-operations.js';
import { fileOperations, versionOperations } from './operations/content-operations.js';
import { serverOperations } from './operations/server-operations.js';
import { structureOperations } from './operations/structure-operations.js';
import { graphqlOperations, utilityOperations } from './operations/utility-operations.js';
import { addOperation, type PathItem } from './path-item.js';

const operations: FixedOperations = [
  ...authOperations,
  ...accountOperations,
  ...serverOperations,
  ...graphqlOperations,
  ...utilityOperations,
  ...structureOperations,
  ...fileOperations,
  ...versionOperations,
];

export function drawFixedPaths(asker: Asker): Readonly<Record<string, PathItem>> {
  const paths: Record<string, PathItem> = {};
  for (const entry of operations) {
    if (!entry.open.every((open) => isOpen(asker, open))) continue;
    const [method = '', path = ''] = entry.route.split(' ');
    paths[path] ??= pathParameters(asker.view, path, entry);
    addOperation(paths[path] ?? {}, method, operation(entry));
  }
  return paths;
}

const segments: Readonly<Record<string, string>> = {
  collection: 'Name of the collection.',
  field: 'Name of the field.',
  id: 'The key.',
};

function pathParameters(view: SchemaView, path: string, { open }: FixedOperation): PathItem {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return {};
  const [some] = open.flatMap((to) => (typeof to === 'object' && 'some' in to ? [to.some] : []));
  const collection = some === undefined ? text : { enum: collectionsFor(view, some) };
  const schemaOf = (name: string): Json => (name === 'collection' ? collection : text);
  const parameter = (name: string): Json => ({ name, in: 'path', required: true, description: segments[name], schema: schemaOf(name) });
  return { parameters: names.map(parameter) };
}
