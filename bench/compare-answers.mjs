// Compares the answers of a target and of the bare handler, so that no wrong answer is measured. Answers that mean the same to a client are
// equal: decimals and counts as text or number, both notations of a time, booleans as 0 and 1, unordered lists in any order.

import { isDeepStrictEqual } from 'node:util';
import { isWriting, requestOf } from './workloads.mjs';

const compared = [0, 3, 42, 77];

/** null when the answers agree, else a description of the difference. */
export async function compareAnswers(target, bare, workload) {
  for (const variant of compared) {
    const [found, wanted] = await Promise.all([ask(target, workload, variant), ask(bare, workload, variant)]);
    if (found.problem !== null) return found.problem;
    if (wanted.problem !== null) return `the bare handler: ${wanted.problem}`;
    if (isWriting(workload) ? !sameWritten(found.data, wanted.data) : !isDeepStrictEqual(normal(found.data), normal(wanted.data)))
      return `variant ${variant} differs: ${excerpt(found.data)} is not ${excerpt(wanted.data)}`;
  }
  return null;
}

async function ask(target, workload, variant) {
  const request = requestOf(target.dialect, workload, variant);
  const { method, headers, body } = request;
  const answer = await fetch(target.url + request.path, { method, headers, ...(body === null ? {} : { body }) });
  const text = await answer.text();
  if (!answer.ok || text.startsWith('{"errors"')) return { problem: `${answer.status} ${text.slice(0, 300)}`, data: null };
  const { data } = JSON.parse(text);
  // Skip the root field of GraphQL.
  return { problem: null, data: workload === 'd' && !Array.isArray(data) ? Object.values(data)[0] : data };
}

/** Created items have different keys and equal values. */
const sameWritten = (found, wanted) =>
  Number(found.id) > 0 && found.title === wanted.title && (found.comments === undefined || found.comments.length === 2);

function normal(value) {
  if (Array.isArray(value)) return value.map(normal).sort((a, b) => compareTexts(JSON.stringify(a), JSON.stringify(b)));
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string') return normalText(value);
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).sort(([a], [b]) => compareTexts(a, b));
  return Object.fromEntries(pairs.map(([name, inner]) => [name, normal(inner)]));
}

const compareTexts = (a, b) => (a < b ? -1 : Number(a > b));

function normalText(text) {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/.test(text) ? text.slice(0, 19).replace(' ', 'T') : text;
}

const excerpt = (data) => JSON.stringify(data).slice(0, 200);
