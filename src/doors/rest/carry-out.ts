// A change of structure as an answer: carried out, or with `Prefer: dry-run` only described.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Change, Structure } from '../../service/structure/structure.js';
import { sendJson, sendNothing } from '../http/send.js';

export interface StructureDoor {
  readonly structure: Structure;
}

export async function carryOut<T>(
  door: StructureDoor,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: () => Change<T>,
): Promise<FastifyReply> {
  const { caller } = request.context;
  if (isDryRun(request))
    return sendJson(request, reply.header('preference-applied', 'dry-run'), { data: await door.structure.preview(caller, asked) });
  const answer = await door.structure.run(caller, asked);
  return answer === null ? sendNothing(reply) : sendJson(request, reply, { data: answer });
}

const isDryRun = ({ headers }: FastifyRequest): boolean =>
  [headers.prefer ?? []].flat().some((header) => header.split(',').some((preference) => preference.trim().toLowerCase() === 'dry-run'));
