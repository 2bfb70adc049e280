// The input of an operation from the parts of a request.

import type { FastifyRequest } from 'fastify';
import { invalidPayload, invalidQuery } from '../../../core/errors/service-error.js';
import { type Placement, placeMembers } from '../../../service/describe/openapi/operation-route.js';
import { KeySegment, UrlQuery } from '../../../service/operations/carried-values.js';
import type { InputSource } from '../../../service/operations/run-operation.js';
import { inPayload, inUrl } from '../../../service/operations/shape.js';
import { queryOf, queryParameters } from '../../http/request/url-query.js';
import { lastSegment } from '../item-target.js';
import type { InputValues, RestDeps, RestRoute } from './rest-route.js';

/** Made once per route; the result is asked for each request. */
export function inputOf(route: RestRoute): (request: FastifyRequest, deps: RestDeps) => InputSource {
  const placements = placeMembers(route);
  const placeOf = placesOf(placements);
  const { read, takesQuery = true, fixed = {} } = route;
  return (request, deps) => ({
    placeOf,
    read: async () => {
      if (!takesQuery) refuseQuery(request);
      return { ...readMembers(placements, request), ...fixed, ...(await read?.(request, deps)) };
    },
  });
}

function refuseQuery(request: FastifyRequest): void {
  const [name] = Object.keys(queryParameters(request)).filter((key) => key !== 'access_token');
  if (name !== undefined) throw invalidQuery(`This takes no query parameters, so "${name.slice(0, 100)}" cannot be used.`);
}

/** How errors name a member, and which code they have. */
function placesOf(placements: readonly Placement[]): InputSource['placeOf'] {
  const places = new Map(
    placements.map(({ member, name, in: part, shape }) => {
      if (part === 'whole-body') return [member, inPayload('')];
      return [member, part === 'query' || (part === 'path' && isSpelled(shape)) ? inUrl(name) : inPayload(name)];
    }),
  );
  return (member) => places.get(member) ?? inPayload(member);
}

/** In a path, too, a number is its digits. */
const isSpelled = ({ facts: { kind } }: Placement['shape']): boolean => kind === 'integer' || kind === 'number' || kind === 'boolean';

function readMembers(placements: readonly Placement[], request: FastifyRequest): InputValues {
  const body = placements.some(isInBody) ? bodyOf(request) : {};
  const parameters = new URLSearchParams(queryOf(request));
  return Object.fromEntries(placements.map((placement) => [placement.member, readMember(placement, request, body, parameters)]));
}

/** Files come in forms, which the route reads itself. */
const isInBody = ({ in: part, shape }: Placement): boolean => part === 'body' && shape.facts.kind !== 'upload';

function readMember(
  { in: part, name, shape: { facts } }: Placement,
  request: FastifyRequest,
  body: InputValues,
  parameters: URLSearchParams,
): unknown {
  switch (part) {
    case 'path':
      // Decoding would mix up the commas between the parts of a composite key with those inside of them.
      return facts.kind === 'item-key' ? new KeySegment(lastSegment(request)) : (request.params as InputValues)[name];
    case 'query':
      if (facts.kind === 'query') return new UrlQuery(queryOf(request));
      if (facts.kind === 'document') return queryParameters(request);
      return facts.kind === 'list' ? namesIn(parameters, name) : (parameters.get(name) ?? undefined);
    case 'header':
      return request.headers[name];
    case 'body':
      return body[name];
    case 'whole-body':
      return request.body;
  }
}

/** A list comes separated by commas, or as a repeated parameter. */
const namesIn = (parameters: URLSearchParams, name: string): readonly string[] | undefined =>
  parameters.has(name) ? parameters.getAll(name).flatMap((entry) => entry.split(',')) : undefined;

function bodyOf({ body }: FastifyRequest): InputValues {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw invalidPayload('The body has to be an object.');
  return body as InputValues;
}
