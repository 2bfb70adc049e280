// What versions have besides their items: saving changes into one, comparing it, promoting it.

import type { FastifyInstance } from 'fastify';
import { compareVersion, promoteVersion, readPromotion } from '../../service/history/promote-version.js';
import { saveVersion } from '../../service/history/save-version.js';
import type { VersionContext } from '../../service/history/version-context.js';
import { sendJson } from '../http/send.js';
import { answerOnce, asData } from './answer-once.js';
import type { WriteDoor } from './write-door.js';

interface Keyed {
  Params: { key: string };
}

export function addVersionRoutes(app: FastifyInstance, door: WriteDoor, versions: VersionContext): void {
  app.post<Keyed>('/versions/:key/save', async (request, reply) =>
    answerOnce(door, request, reply, async (work) => asData(await saveVersion(versions, work, request.params.key, request.body))),
  );
  app.get<Keyed>('/versions/:key/compare', async (request, reply) =>
    sendJson(request, reply, { data: await compareVersion(versions, door.work(request), request.params.key) }),
  );
  app.post<Keyed>('/versions/:key/promote', async (request, reply) => {
    const promotion = readPromotion(request.body);
    return answerOnce(door, request, reply, async (work) => asData(await promoteVersion(versions, work, request.params.key, promotion)));
  });
}
