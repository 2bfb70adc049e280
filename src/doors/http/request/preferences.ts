// The header `Prefer` (RFC 7240): what a client would like of an answer beyond what it gets otherwise.

import type { FastifyRequest } from 'fastify';

export type Preference = 'dry-run' | 'revisions';

export const preferenceApplied = 'preference-applied';

export function prefers({ headers: { prefer } }: Pick<FastifyRequest, 'headers'>, preference: Preference): boolean {
  if (prefer === undefined) return false;
  return [prefer].flat().some((header) => header.split(',').some((each) => each.trim().toLowerCase() === preference));
}
