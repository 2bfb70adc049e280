// The operations of one path, by method. OpenAPI 3.1 knows a fixed list of methods; other methods go into an extension, under the
// name version 3.2 gives it.

import type { Json } from './json.js';

export type PathItem = Record<string, unknown>;

const others = 'x-additionalOperations';

export function addOperation(item: PathItem, method: string, operation: Json): void {
  if (method !== 'search') item[method] = operation;
  else item[others] = { ...(item[others] as Json | undefined), SEARCH: operation };
}

export const hasOperations = (item: PathItem): boolean => Object.keys(item).some((key) => key !== 'parameters');

export const operationsOf = ({ parameters: _parameters, [others]: more = {}, ...known }: PathItem): readonly Json[] =>
  [...Object.values(known), ...Object.values(more as Json)] as readonly Json[];
