// /schema/snapshot, /schema/diff and /schema/apply: the whole structure as a document, for administrators.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { forbidden, invalidQuery } from '../../core/errors/service-error.js';
import type { DiffMode } from '../../service/structure/diff-snapshots.js';
import { applyDiff, diffSnapshot } from '../../service/structure/migrate-structure.js';
import { selectCollections } from '../../service/structure/select-collections.js';
import { sendJson, sendNothing } from '../http/send.js';
import { queryParameters } from '../http/url-query.js';
import { carryOut, type StructureDoor } from './carry-out.js';

export interface SchemaDoor extends StructureDoor {
  /** What the document says of its maker. */
  readonly origin: { readonly tain: string; readonly vendor: string };
}

export function addSchemaRoutes(app: FastifyInstance, door: SchemaDoor): void {
  app.get('/schema/snapshot', async (request, reply) => {
    const snapshot = selectCollections(
      door.structure.snapshot(request.context.caller),
      names(request, 'includeCollections'),
      names(request, 'excludeCollections'),
    );
    return sendJson(request, reply, { data: { version: 1, ...door.origin, ...snapshot, systemFields: [] } });
  });
  app.post('/schema/diff', async (request, reply) => answerDiff(door, request, reply));
  app.post('/schema/apply', async (request, reply) => {
    const force = flag(request, 'force');
    return carryOut(door, request, reply, () => applyDiff(request.body, { force, lossy: force || flag(request, 'lossy') }));
  });
}

async function answerDiff(door: SchemaDoor, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!request.context.isAdmin) throw forbidden();
  const diff = diffSnapshot(door.structure.snapshot(request.context.caller), request.body, modeOf(request));
  return diff === null ? sendNothing(reply) : sendJson(request, reply, { data: diff });
}

const parameter = (request: FastifyRequest, name: string): unknown => queryParameters(request)[name];

function flag(request: FastifyRequest, name: string): boolean {
  const value = parameter(request, name);
  if (value === undefined || value === 'false') return false;
  if (value === '' || value === 'true') return true;
  throw invalidQuery(`"${name}" must be true or false.`);
}

function modeOf(request: FastifyRequest): DiffMode {
  const mode = parameter(request, 'mode') ?? 'mirror';
  if (mode !== 'mirror' && mode !== 'merge') throw invalidQuery('"mode" must be mirror or merge.');
  return mode;
}

function names(request: FastifyRequest, name: string): readonly string[] | null {
  const value = parameter(request, name);
  if (value === undefined) return null;
  return (Array.isArray(value) ? value.map(String) : [String(value)]).flatMap((entry) => entry.split(','));
}
