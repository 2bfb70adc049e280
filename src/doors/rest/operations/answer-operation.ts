// What an operation answered, as HTTP: a status, headers and a body.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerOf } from '../../../service/describe/openapi/operation-route.js';
import type { Asset } from '../../../service/files/transfer/read-asset.js';
import { JsonText } from '../../../service/operations/carried-values.js';
import type { Answered } from '../../../service/operations/run-operation.js';
import { sendJson, sendNothing, sendText, writeJsonText } from '../../http/answer/send.js';
import { sendAsset } from '../send-asset.js';
import type { RestRoute } from './rest-route.js';

export function answerOperation(
  route: RestRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  { value, facts }: Answered,
): FastifyReply | Promise<FastifyReply> {
  if (route.headers !== undefined) reply.headers(route.headers);
  if (typeof facts.etag === 'string') reply.header('etag', facts.etag);
  const answer = answerOf(route);
  switch (answer.kind) {
    case 'nothing':
      return sendNothing(reply);
    case 'empty':
      return reply.code(200).send();
    case 'redirect':
      // A client that asked for the value instead of a redirect gets the value.
      if (facts.location === undefined && value !== undefined && value !== null) return sendJson(request, reply, { data: value });
      return reply.redirect(facts.location ?? '/');
    case 'data':
      // The caller may not read what was written, or there is no value: 204.
      if (value === undefined || value === null || (value instanceof JsonText && value.text === 'null')) return sendNothing(reply);
      return value instanceof JsonText
        ? writeJsonText(request, reply, `{"data":${value.text}}`)
        : sendJson(request, reply, { data: value });
    case 'value':
      return value === undefined ? sendNothing(reply) : sendJson(request, reply, value);
    case 'bytes':
      return sendAsset(request, reply, value as Asset);
    case 'content':
      reply.code(facts.unavailable === true ? 503 : 200);
      return sendText(
        request,
        reply,
        typeof value === 'string' ? value : JSON.stringify(value),
        `${facts.contentType ?? answer.type}; charset=utf-8`,
      );
  }
}
