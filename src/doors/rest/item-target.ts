// Which collection and which item a path means. Segments are taken as sent, still percent-encoded, because a composite key's commas
// and a key's slashes can be distinguished only there.

import type { FastifyRequest } from 'fastify';
import { forbiddenCollection } from '../../core/errors/service-error.js';

export type CollectionOf = (request: FastifyRequest) => string;

/** `/items/articles`: system collections have paths of their own and are not reached through this one. */
export const itemsCollection: CollectionOf = (request) => {
  const name = decodeName(secondSegment(pathOf(request)));
  const collection = request.context.caller.view.schema.collections.get(name);
  if (collection?.system !== false) throw forbiddenCollection(name);
  return name;
};

/** The last segment of the path, as sent. */
export function lastSegment(request: FastifyRequest): string {
  const path = pathOf(request);
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}

/** Nearly no name is encoded. */
const decodeName = (segment: string): string => (segment.includes('%') ? decodeURIComponent(segment) : segment);

function secondSegment(path: string): string {
  const slash = path.indexOf('/', afterSlashes(path, 0));
  if (slash < 0) return '';
  const start = afterSlashes(path, slash);
  const end = path.indexOf('/', start);
  return path.slice(start, end < 0 ? path.length : end);
}

function afterSlashes(path: string, from: number): number {
  let at = from;
  while (path[at] === '/') at += 1;
  return at;
}

const pathOf = (request: FastifyRequest): string => {
  const url = request.raw.url ?? '';
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
};
