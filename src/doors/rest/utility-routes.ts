// /utils: small tools of the service, and what moves many items at once.

import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { lookUpCollection } from '../../core/access/view.js';
import type { TransactionWork } from '../../core/engine/transaction.js';
import { forbidden, forbiddenCollection } from '../../core/errors/service-error.js';
import { readBody, readText } from '../../service/auth/account-payload.js';
import { hashPassword, verifyPassword } from '../../service/secrets/hash-password.js';
import { randomToken } from '../../service/secrets/random-token.js';
import { type ExportContext, readExportOrder, startExport } from '../../service/utilities/export-to-file.js';
import { importCollections, readCollectionItems, readImportMode } from '../../service/utilities/import-collections.js';
import { importItems } from '../../service/utilities/import-items.js';
import { readLength } from '../../service/utilities/random-text.js';
import { revertItem } from '../../service/utilities/revert-item.js';
import { readMove, sortItems } from '../../service/utilities/sort-items.js';
import { sendJson } from '../http/send.js';
import { queryOf } from '../http/url-query.js';
import { answerOnce, answerOnceApart, emptyAnswer, nothingToSay } from './answer-once.js';
import { collectionOf } from './item-target.js';
import { withImportFile } from './receive-import.js';
import type { WriteDoor } from './write-door.js';

export interface UtilityDoor extends WriteDoor {
  readonly exports: ExportContext;
  /** Bytes of the largest file of an import. */
  readonly uploadLimit: number;
  /** Forgets what was remembered of the database. */
  clearCache(): Promise<void>;
}

interface OfCollection {
  Params: { collection: string };
}

export async function addUtilityRoutes(app: FastifyInstance, door: UtilityDoor): Promise<void> {
  addSecretRoutes(app);
  addItemTools(app, door);
  await addImportRoutes(app, door);
  app.post<OfCollection>('/utils/export/:collection', async (request, reply) => {
    const order = readExportOrder(request.body, door.limits);
    return answerOnceApart(door, request, reply, async () => {
      // The answer does not wait: what goes wrong from here on is told by a notification.
      startExport(door.exports, door.work(request), userCollection(request), order);
      return nothingToSay;
    });
  });
  app.post('/utils/cache/clear', async (request, reply) => {
    if (!request.context.isAdmin) throw forbidden();
    await door.clearCache();
    return reply.code(200).send();
  });
}

/** Hashing is costly work and not for strangers. */
function addSecretRoutes(app: FastifyInstance): void {
  app.post('/utils/hash/generate', async (request, reply) => {
    refuseStrangers(request);
    return sendJson(request, reply, { data: await hashPassword(readText(readBody(request.body), 'string')) });
  });
  app.post('/utils/hash/verify', async (request, reply) => {
    refuseStrangers(request);
    const body = readBody(request.body);
    const [text, hash] = [readText(body, 'string'), readText(body, 'hash')];
    return sendJson(request, reply, { data: await verifyPassword(hash, text) });
  });
  app.get('/utils/random/string', async (request, reply) => {
    const length = readLength(new URLSearchParams(queryOf(request)).get('length'));
    return sendJson(request, reply, { data: randomToken(length) });
  });
}

function addItemTools(app: FastifyInstance, door: UtilityDoor): void {
  app.post<OfCollection>('/utils/sort/:collection', async (request, reply) => {
    const name = userCollection(request);
    lookUpCollection(request.context.caller.view, name, 'update');
    const move = readMove(request.body);
    return answerOnce(door, request, reply, async (work) => {
      await sortItems(door, work, name, move);
      return emptyAnswer;
    });
  });
  app.post<{ Params: { key: string } }>('/utils/revert/:key', async (request, reply) =>
    answerOnce(door, request, reply, async (work) => {
      await revertItem(door, work, request.params.key);
      return nothingToSay;
    }),
  );
}

async function addImportRoutes(app: FastifyInstance, door: UtilityDoor): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(multipart, { limits: { fileSize: door.uploadLimit, files: 1 }, throwFileSizeLimit: false });
    scope.post<OfCollection>('/utils/import/:collection', async (request, reply) => {
      const { caller } = request.context;
      const name = userCollection(request);
      lookUpCollection(caller.view, name, 'create');
      return withImportFile(request, door.uploadLimit, (file) =>
        importItems(door.writer, caller, name, file, (write) => {
          const act = async (work: TransactionWork) => {
            await write(work);
            return emptyAnswer;
          };
          return answerOnce(door, request, reply, act, { asked: file.digest });
        }),
      );
    });
  });
  app.post('/utils/import', async (request, reply) => {
    const parameters = new URLSearchParams(queryOf(request));
    const mode = readImportMode(parameters.get('mode'));
    const dryRun = ['true', '1', ''].includes(parameters.get('dryRun') ?? 'false');
    const entries = readCollectionItems(request.body);
    const act = async (work: TransactionWork) => {
      const collections = await importCollections(door.writer, work, entries, mode);
      return { status: 200, text: JSON.stringify({ data: { applied: !dryRun, mode, collections } }) };
    };
    return answerOnce(door, request, reply, act, { choices: { dryRun } });
  });
}

function refuseStrangers({ context }: FastifyRequest): void {
  if (context.caller.accountability.user === null) throw forbidden();
}

/** System collections have tools of their own. */
function userCollection(request: FastifyRequest<OfCollection>): string {
  const { collection: name } = request.params;
  if (collectionOf(request.context.caller, name)?.system !== false) throw forbiddenCollection(name);
  return name;
}
