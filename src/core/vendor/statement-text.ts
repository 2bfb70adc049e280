// The text of a statement for logs and traces, without values of requests.

import type { Statement } from './driver.js';

const maxLength = 4000;

/** Of the statement and of those that are sent with it, in their order; cut off when it is long. */
export const textForOperators = (statement: Statement): string =>
  [...(statement.queued ?? []), statement].map(textOf).join(';\n').slice(0, maxLength);

/** Values of requests are bound and never part of a text, except in changes of structure: a default, a comment. */
const textOf = ({ kind, text }: Statement): string => (kind === 'ddl' ? text.replace(/'(?:[^']|'')*'/g, "'…'") : text);
