// A change of structure as an answer: carried out, or with `Prefer: dry-run` only described.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Change, Structure } from '../../service/structure/structure.js';
import { sendJson } from '../http/send.js';
import { answerOnceApart, asData, nothingToSay, type OnceDoor } from './answer-once.js';

export interface StructureDoor extends OnceDoor {
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
  return answerOnceApart(door, request, reply, async () => {
    const answer = await door.structure.run(caller, asked);
    return answer === null ? nothingToSay : asData(answer);
  });
}

const isDryRun = ({ headers }: FastifyRequest): boolean =>
  [headers.prefer ?? []].flat().some((header) => header.split(',').some((preference) => preference.trim().toLowerCase() === 'dry-run'));
