// The shape every operation of the description has.

import { type Json, ref } from './json.js';
import { parameters } from './parameters.js';

/** `schema` null: an answer without a body. */
export interface Answer {
  readonly status: '200' | '204' | '302';
  readonly type: string;
  readonly schema: Json | null;
  /** Other types of content that the client may ask for, with their schemas. */
  readonly others?: Readonly<Record<string, Json>>;
}

export interface OperationFacts {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  /** Names of shared parameters. */
  readonly parameters?: readonly string[];
  /** Parameters that only this operation has. */
  readonly ownParameters?: readonly Json[];
  readonly body?: Json;
  /** A form, as the only kind of body or as an alternative to `body`. */
  readonly form?: Json;
  readonly answer: Answer;
}

export const nothing: Answer = { status: '204', type: '', schema: null };
/** 200 without a body. */
export const empty: Answer = { status: '200', type: '', schema: null };
export const redirect: Answer = { status: '302', type: '', schema: null };
export const data = (schema: Json): Answer => ({
  status: '200',
  type: 'application/json',
  schema: { type: 'object', properties: { data: schema } },
});
export const content = (type: string, schema: Json): Answer => ({ status: '200', type, schema });

const errorAnswers: Json = {
  '400': ref('responses', 'BadRequest'),
  '401': ref('responses', 'Unauthorized'),
  '403': ref('responses', 'Forbidden'),
};

export function operation(facts: OperationFacts): Json {
  const { id, tag, summary, parameters: names = [], ownParameters = [], body, form, answer } = facts;
  const all = [...ownParameters, ...names.filter((name) => name in parameters).map((name) => ref('parameters', name))];
  const bodies = {
    ...(body === undefined ? {} : { 'application/json': { schema: body } }),
    ...(form === undefined ? {} : { 'multipart/form-data': { schema: form } }),
  };
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(all.length > 0 ? { parameters: all } : {}),
    ...(body === undefined && form === undefined ? {} : { requestBody: { required: true, content: bodies } }),
    responses: { [answer.status]: responseOf(answer), ...errorAnswers },
  };
}

function responseOf({ type, schema, others = {} }: Answer): Json {
  if (schema === null) return { description: 'Done; nothing to say.' };
  const more = Object.entries(others).map(([name, other]) => [name, { schema: other }]);
  return { description: 'What was asked for.', content: { [type]: { schema }, ...Object.fromEntries(more) } };
}
