// /collections, /fields and /relations. Changes are for administrators; the header `Prefer: dry-run` shows what a change would do.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidPayload, invalidQuery } from '../../core/errors/service-error.js';
import * as change from '../../service/structure/structure.js';
import * as visible from '../../service/structure/visible-structure.js';
import { sendJson } from '../http/send.js';
import { queryParameters } from '../http/url-query.js';
import { carryOut, type StructureDoor } from './carry-out.js';

type Named = { readonly collection: string; readonly field: string };

export function addStructureRoutes(app: FastifyInstance, door: StructureDoor): void {
  addCollectionRoutes(app, door);
  addFieldRoutes(app, door);
  addRelationRoutes(app, door);
}

const nameOf = (request: FastifyRequest): Named => {
  const { collection = '', field = '' } = request.params as Partial<Named>;
  return { collection, field };
};

const show = (request: FastifyRequest, reply: FastifyReply, data: unknown): FastifyReply => sendJson(request, reply, { data });

function addCollectionRoutes(app: FastifyInstance, door: StructureDoor): void {
  app.get('/collections', async (request, reply) => show(request, reply, visible.listCollections(request.context.caller)));
  app.route({
    method: ['SEARCH', 'QUERY'],
    url: '/collections',
    handler: async (request, reply) => show(request, reply, searchCollections(request)),
  });
  app.get('/collections/:collection', async (request, reply) =>
    show(request, reply, visible.oneCollection(request.context.caller, nameOf(request).collection)),
  );
  app.post('/collections', async (request, reply) => carryOut(door, request, reply, () => change.createCollections(request.body)));
  app.patch('/collections', async (request, reply) => carryOut(door, request, reply, () => change.updateCollections(request.body)));
  app.patch('/collections/:collection', async (request, reply) =>
    carryOut(door, request, reply, () => change.updateCollection(nameOf(request).collection, request.body)),
  );
  app.delete('/collections/:collection', async (request, reply) =>
    carryOut(door, request, reply, () => change.deleteCollection(nameOf(request).collection)),
  );
}

function searchCollections({ body, context }: FastifyRequest): unknown {
  const all = visible.listCollections(context.caller);
  const asked = typeof body === 'object' && body !== null ? body : {};
  if ('keys' in asked && Array.isArray(asked.keys)) {
    const keys: readonly unknown[] = asked.keys;
    return all.filter(({ collection }) => keys.includes(collection));
  }
  if (!('query' in asked)) throw invalidPayload('"keys" or "query" is required.');
  return all;
}

/** None of the field operations takes query parameters (specification 4.4); a token is none. */
function refuseQuery(request: FastifyRequest): void {
  const [name] = Object.keys(queryParameters(request)).filter((key) => key !== 'access_token');
  if (name !== undefined) throw invalidQuery(`Field operations take no query parameters, so "${name}" cannot be used.`);
}

function addFieldRoutes(app: FastifyInstance, door: StructureDoor): void {
  const checked = async (request: FastifyRequest): Promise<void> => refuseQuery(request);
  const options = { preHandler: checked };
  app.get('/fields', options, async (request, reply) => show(request, reply, visible.listFields(request.context.caller)));
  app.get('/fields/:collection', options, async (request, reply) =>
    show(request, reply, visible.listFieldsIn(request.context.caller, nameOf(request).collection)),
  );
  app.get('/fields/:collection/:field', options, async (request, reply) => {
    const { collection, field } = nameOf(request);
    return show(request, reply, visible.oneField(request.context.caller, collection, field));
  });
  app.post('/fields/:collection', options, async (request, reply) =>
    carryOut(door, request, reply, () => change.createField(nameOf(request).collection, request.body)),
  );
  app.patch('/fields/:collection', options, async (request, reply) =>
    carryOut(door, request, reply, () => change.updateFields(nameOf(request).collection, request.body)),
  );
  app.patch('/fields/:collection/:field', options, async (request, reply) => {
    const { collection, field } = nameOf(request);
    return carryOut(door, request, reply, () => change.updateField(collection, field, request.body));
  });
  app.delete('/fields/:collection/:field', options, async (request, reply) => {
    const { collection, field } = nameOf(request);
    return carryOut(door, request, reply, () => change.deleteField(collection, field));
  });
}

function addRelationRoutes(app: FastifyInstance, door: StructureDoor): void {
  app.get('/relations', async (request, reply) => show(request, reply, visible.listRelations(request.context.caller)));
  app.get('/relations/:collection', async (request, reply) =>
    show(request, reply, visible.listRelationsOf(request.context.caller, nameOf(request).collection)),
  );
  app.get('/relations/:collection/:field', async (request, reply) => {
    const { collection, field } = nameOf(request);
    return show(request, reply, visible.oneRelation(request.context.caller, collection, field));
  });
  app.post('/relations', async (request, reply) => carryOut(door, request, reply, () => change.createRelation(request.body)));
  app.patch('/relations/:collection/:field', async (request, reply) => {
    const { collection, field } = nameOf(request);
    return carryOut(door, request, reply, () => change.updateRelation(collection, field, request.body));
  });
  app.delete('/relations/:collection/:field', async (request, reply) => {
    const { collection, field } = nameOf(request);
    return carryOut(door, request, reply, () => change.deleteRelation(collection, field));
  });
}
