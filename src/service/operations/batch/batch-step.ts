// One operation of a batch: its request, the state it expects its items in, and the name by which later operations refer to its answer.

import { choice, json, matching, object, optional, text, type ValueOf, withDefault } from '../shape.js';

const longestPath = 65_536;

export const batchStep = object(
  {
    id: optional(text({ form: matching(/^[^.]+$/, 'a text without dots') })),
    method: choice(['GET', 'POST', 'PATCH', 'DELETE']),
    path: text({ maxLength: longestPath, form: matching(/^\//, 'a path such as "/items/books"') }),
    body: withDefault(json, undefined),
    if_match: withDefault(json, null),
  },
  { strict: true },
);

export type BatchStep = ValueOf<typeof batchStep>;
