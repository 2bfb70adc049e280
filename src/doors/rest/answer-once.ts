// Answers of writes: under an idempotency key a write happens once, and its first answer is given again.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pending } from '../../core/engine/gathering-connection.js';
import type { TransactionChoices, TransactionWork } from '../../core/engine/transaction.js';
import type { Idempotency, KeptAnswer, KeyedRequest } from '../../service/utilities/idempotency.js';
import { writeJsonText } from '../http/send.js';
import { queryOf } from '../http/url-query.js';

export interface OnceDoor {
  readonly idempotency: Idempotency;
}

export interface OnceChoices {
  readonly choices?: TransactionChoices;
  /** What tells this request from others, where that is not the body. */
  readonly asked?: unknown;
}

/** All of it in one transaction. */
export const answerOnce = (
  door: OnceDoor,
  request: FastifyRequest,
  reply: FastifyReply,
  act: (work: TransactionWork) => Promise<KeptAnswer>,
  choices: OnceChoices = {},
): Promise<FastifyReply> =>
  answerWhenSent(
    door,
    request,
    reply,
    async (work) => {
      const answer = await act(work);
      return () => answer;
    },
    choices,
  );

/** The same for an answer that is known when the transaction has sent everything. */
export async function answerWhenSent(
  { idempotency }: OnceDoor,
  request: FastifyRequest,
  reply: FastifyReply,
  act: (work: TransactionWork) => Promise<Pending<KeptAnswer>>,
  { choices = {}, asked }: OnceChoices = {},
): Promise<FastifyReply> {
  const { answer, replayed } = await idempotency.run(request.context.caller, keyedRequest(request, asked), act, choices);
  return sendAnswer(request, reply, answer, replayed);
}

/** What cannot be done in one transaction. */
export async function answerOnceApart(
  { idempotency }: OnceDoor,
  request: FastifyRequest,
  reply: FastifyReply,
  act: () => Promise<KeptAnswer>,
): Promise<FastifyReply> {
  const { answer, replayed } = await idempotency.runApart(request.context.caller, keyedRequest(request), act);
  return sendAnswer(request, reply, answer, replayed);
}

/** The first answer, for work that should not even begin again; null when there is none. */
export async function answerAgain({ idempotency }: OnceDoor, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | null> {
  const known = await idempotency.recall(request.context.caller, keyedRequest(request));
  return known === null ? null : sendAnswer(request, reply, known, true);
}

function sendAnswer(request: FastifyRequest, reply: FastifyReply, { status, text }: KeptAnswer, replayed: boolean): FastifyReply {
  if (replayed) reply.header('idempotent-replayed', 'true');
  return text === null ? reply.code(status).send() : writeJsonText(request, reply, text, { status });
}

function keyedRequest(request: FastifyRequest, asked: unknown = request.body ?? null): KeyedRequest | null {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return null;
  return { key, content: JSON.stringify([request.method, request.url.split('?')[0], queryOf(request), asked]) };
}

export const nothingToSay: KeptAnswer = { status: 204, text: null };
/** 200, and no body all the same. */
export const emptyAnswer: KeptAnswer = { status: 200, text: null };
export const asData = (data: unknown): KeptAnswer => ({ status: 200, text: JSON.stringify({ data }) });
