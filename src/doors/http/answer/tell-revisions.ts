// `Prefer: revisions` on a write: the answer names the revisions that its transaction made, so that a client can take back exactly these. It
// names all of them or none: none where the caller may not read one of them, where there are too many, and where the answer is that of an
// earlier request with the same Idempotency-Key.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { findCollection } from '../../../core/access/view.js';
import type { Reader } from '../../../core/engine/read/reader.js';
import type { OnRevisions, Work } from '../../../core/engine/work/work.js';
import { parseQueryObject } from '../../../core/query/parse/parse-query-object.js';
import type { QueryLimits } from '../../../core/query/query.js';
import { revisions } from '../../../service/definitions/history.js';
import { preferenceApplied, prefers } from '../request/preferences.js';

const revisionsHeader = 'x-revisions';

/** As many as one read by key takes well, and as a header may name. */
const mostTold = 500;

/** What the transactions of the request call; null: the client does not ask. */
export function revisionListener(request: FastifyRequest): OnRevisions | null {
  if (!prefers(request, 'revisions')) return null;
  const { context } = request;
  context.revisions ??= [];
  const made = context.revisions;
  return (keys) => void made.push(...keys);
}

export interface TellDeps {
  readonly reader: Pick<Reader, 'keys'>;
  readonly limits: QueryLimits;
}

/** Adds the header once everything is committed. */
export async function tellRevisions({ reader, limits }: TellDeps, request: FastifyRequest, reply: FastifyReply, work: Work): Promise<void> {
  const { revisions: made } = request.context;
  if (made === null || made.length > mostTold || reply.hasHeader('idempotent-replayed')) return;
  if (findCollection(work.caller.view, revisions.collection, 'read') === null) return;
  const query = parseQueryObject({ limit: -1 }, limits);
  const readable = made.length === 0 ? [] : await reader.keys(work, revisions.collection, query, made);
  if (readable.length < made.length) return;
  reply.header(preferenceApplied, 'revisions');
  reply.header(revisionsHeader, asRanges(made));
}

/** `3-5, 9`: those of one write are mostly neighbours. */
function asRanges(keys: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const key of keys.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === key - 1) last[1] = key;
    else ranges.push([key, key]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
