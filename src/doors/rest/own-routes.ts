// What callers may know of themselves: the own user, the own roles, the own permissions.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findCollection } from '../../core/access/view.js';
import { parseQueryObject } from '../../core/query/parse-query-object.js';
import { parseUrlQuery } from '../../core/query/parse-url-query.js';
import type { Authenticator } from '../../service/auth/authenticate.js';
import { ownKey } from '../../service/auth/own-account.js';
import { permissionsOfCaller } from '../../service/auth/permissions-of-caller.js';
import { type FindItem, permissionsOnItem } from '../../service/auth/permissions-on-item.js';
import { sendJson, writeJsonText } from '../http/send.js';
import { queryOf } from '../http/url-query.js';
import { lastSegment } from './item-target.js';
import type { WriteDoor } from './write-door.js';
import { updateOne } from './write-routes.js';

export interface OwnDoor extends WriteDoor {
  readonly authenticator: Authenticator;
}

export function addOwnRoutes(app: FastifyInstance, door: OwnDoor): void {
  app.get('/users/me', async (request, reply) => writeJsonText(request, reply, `{"data":${await readOwnUser(door, request)}}`));
  app.patch('/users/me', async (request, reply) => updateOne(door, request, reply, 'service_users', ownKey(request.context.caller)));
  app.get('/roles/me', async (request, reply) => writeJsonText(request, reply, `{"data":[${await readOwnRoles(door, request)}]}`));
  app.get('/policies/me/globals', async (request, reply) =>
    sendJson(request, reply, { data: await door.authenticator.globals(request.context.caller) }),
  );
  app.get('/permissions/me', async (request, reply) => sendJson(request, reply, { data: permissionsOfCaller(request.context.caller) }));
  app.get<{ Params: { collection: string } }>('/permissions/me/:collection', async (request, reply) =>
    sendJson(request, reply, {
      data: await permissionsOnItem(findItem(door, request), request.context.caller, request.params.collection, null),
    }),
  );
  app.get<{ Params: { collection: string } }>('/permissions/me/:collection/:key', async (request, reply) => {
    const data = await permissionsOnItem(findItem(door, request), request.context.caller, request.params.collection, lastSegment(request));
    return sendJson(request, reply, { data });
  });
}

/** Everybody may know who they are, if nothing else. */
async function readOwnUser(door: OwnDoor, request: FastifyRequest): Promise<string> {
  const { caller } = request.context;
  const { share } = caller.accountability;
  if (share !== null) return JSON.stringify({ share: share.id });
  const id = ownKey(caller);
  if (findCollection(caller.view, 'service_users', 'read') === null) return JSON.stringify({ id });
  return door.reader.item(door.work(request), 'service_users', [id], parseUrlQuery(queryOf(request), door.limits));
}

async function readOwnRoles(door: OwnDoor, request: FastifyRequest): Promise<string> {
  const { caller } = request.context;
  const { roles } = caller.accountability;
  ownKey(caller);
  if (findCollection(caller.view, 'service_roles', 'read') === null) return roles.map((id) => JSON.stringify({ id })).join(',');
  const { items } = await door.reader.items(door.work(request), 'service_roles', parseUrlQuery(queryOf(request), door.limits), roles);
  return items;
}

function findItem(door: OwnDoor, request: FastifyRequest): FindItem {
  return async (caller, collection, key) => {
    const fields = caller.view.schema.collections.get(collection)?.primaryKey ?? [];
    return door.reader.itemBySegment({ ...door.work(request), caller }, collection, key, parseQueryObject({ fields }, door.limits));
  };
}
