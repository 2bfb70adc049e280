// The parameters `limit`, `offset` and `page`. `page` is turned into an offset and overrides `offset`.

import { invalidQuery } from '../../errors/service-error.js';
import type { QueryLimits, Slot } from '../query.js';
import { addLiteral, type ParseContext } from './parse-context.js';

const wholeText = /^-?\d{1,10}$/;
const maxWhole = 2_147_483_647;

interface PageInput {
  readonly limit: unknown;
  readonly offset: unknown;
  readonly page: unknown;
}

export function parseLimit(value: unknown, limits: QueryLimits): number | null {
  const limit = parseWhole(value, 'limit', -1);
  if (limit !== null && limits.maxLimit !== -1 && limit > limits.maxLimit) {
    throw invalidQuery(`"limit" has to be at most ${limits.maxLimit}.`);
  }
  return limit;
}

export function parseOffset(input: PageInput, limit: number | null, context: ParseContext): Slot | null {
  const page = parseWhole(input.page, 'page', 0);
  const given = parseWhole(input.offset, 'offset', 0);
  const offset = page === null ? given : offsetOfPage(Math.max(page, 1), limit, context.limits);
  return offset === null ? null : addLiteral(context, offset);
}

function offsetOfPage(page: number, limit: number | null, limits: QueryLimits): number {
  const size = limit === null ? limits.defaultLimit : limit === -1 ? limits.maxLimit : limit;
  if (page === 1) return 0;
  if (size === -1) throw invalidQuery('"page" needs a "limit".');
  return parseWhole((page - 1) * size, 'page × limit', 0) ?? 0;
}

/** Accepts text that is exactly an integer, as URLs carry it. Returns null when the parameter is absent. */
function parseWhole(value: unknown, parameter: string, least: number): number | null {
  if (value === undefined || value === null) return null;
  const number = typeof value === 'string' && wholeText.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < least || number > maxWhole) {
    throw invalidQuery(`"${parameter}" has to be a whole number from ${least} to ${maxWhole}.`);
  }
  return number;
}
