// The shape every operation of the description has.

import { type Json, ref } from './json.js';
import { parameters } from './parameters.js';

export interface OperationFacts {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  /** Names of shared parameters. */
  readonly parameters?: readonly string[];
  readonly body?: Json;
  /** The schema of `data`; null: an answer without a body. */
  readonly data: Json | null;
}

const errorAnswers: Json = {
  '400': ref('responses', 'BadRequest'),
  '401': ref('responses', 'Unauthorized'),
  '403': ref('responses', 'Forbidden'),
};

export function operation({ id, tag, summary, parameters: names = [], body, data }: OperationFacts): Json {
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(names.length > 0 ? { parameters: names.filter((name) => name in parameters).map((name) => ref('parameters', name)) } : {}),
    ...(body === undefined ? {} : { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: { ...(data === null ? { '204': { description: 'Done; nothing to say.' } } : { '200': answer(data) }), ...errorAnswers },
  };
}

const answer = (data: Json): Json => ({
  description: 'What was asked for.',
  content: { 'application/json': { schema: { type: 'object', properties: { data } } } },
});
