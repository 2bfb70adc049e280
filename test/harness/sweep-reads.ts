// The reads of a sweep over REST.

import { operators } from '../../src/core/query/operators.js';
import type { Answer, Api } from './api.js';
import { describeFailure, inTurns, isBroken, isSame, itemsPath, type SweepField, type SweepTarget } from './sweep-targets.js';

/** Operators of validation rules only. */
const notInRequests: ReadonlySet<string> = new Set(['_submitted', '_regex']);
const asked = Object.keys(operators).filter((name) => !notInRequests.has(name));
const aggregates = ['count', 'countDistinct', 'sum', 'sumDistinct', 'avg', 'avgDistinct', 'min', 'max'];

export async function sweepReads(api: Api, target: SweepTarget): Promise<readonly string[]> {
  const play = async (what: string, query: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
    const answer = await api.search(itemsPath(target.collection), { query });
    return isBroken(answer) ? [describeFailure(target, what, answer)] : [];
  };
  const failures: string[] = [];
  for (const text of ['a', '1', '2024-01-01', "x'y%_"]) failures.push(...(await play(`search "${text}"`, { search: text, limit: 2 })));
  for (const name of target.relations) failures.push(...(await play(`nested read of ${name}`, { fields: ['*', `${name}.*`], limit: 3 })));
  for (const field of target.fields) {
    const tasks = [
      ...asked.map((operator) => () => playOperator(api, target, field, operator)),
      ...[field.name, `-${field.name}`].map((sort) => () => play(`sort by ${sort}`, { sort: [sort], limit: 3 })),
      () => playCursor(api, target, field),
      () => play(`group by ${field.name}`, { groupBy: [field.name], aggregate: { count: '*' } }),
      ...aggregates.map((fn) => () => play(`${fn} of ${field.name}`, { aggregate: { [fn]: [field.name] } })),
    ];
    failures.push(...(await inTurns(tasks)));
  }
  return failures;
}

/** A value that the field holds, in the form that the operator takes. */
export function operandOf(operator: string, { type, sample }: Pick<SweepField, 'type' | 'sample'>): unknown {
  const held = sample === null ? fallback(type) : sample.value;
  // Operators on text take a CSV value as one text.
  const value = type === 'csv' && Array.isArray(held) ? held.join(',') : held;
  switch (operators[operator as keyof typeof operators].operand) {
    case 'none':
      return true;
    case 'list':
      return [value];
    case 'pair':
      return [value, value];
    case 'geometry':
      return { type: 'Point', coordinates: [1, 2] };
    case 'scalar':
      return value;
  }
}

const fallback = (type: string): unknown => (type === 'integer' || type === 'float' ? 1 : 'x');

async function playOperator(api: Api, target: SweepTarget, field: SweepField, operator: string): Promise<readonly string[]> {
  const filter = { [field.name]: { [operator]: operandOf(operator, field) } };
  const answer = await api.search(itemsPath(target.collection), { query: { filter, limit: 50 } });
  const what = `${JSON.stringify(filter)} on ${field.type}`;
  if (isBroken(answer)) return [describeFailure(target, what, answer)];
  if (answer.status === 400 && field.sample === null) return [];
  if (answer.status === 400)
    return namesBoth(answer, field.name, operator) ? [] : [describeFailure(target, `${what} without naming both`, answer)];
  if (answer.status !== 200) return [describeFailure(target, what, answer)];
  return mustFind(operator) && !finds(target, field, answer)
    ? [describeFailure(target, `${what} does not find its own item:`, answer)]
    : [];
}

const mustFind = (operator: string): boolean => operator === '_eq' || operator === '_in';

const finds = (target: SweepTarget, { sample }: SweepField, answer: Answer): boolean =>
  sample === null || answer.body.data.some((item: Readonly<Record<string, unknown>>) => isSame(target, item, sample.item));

const namesBoth = ({ body }: Answer, field: string, operator: string): boolean => {
  const message = String(body.errors?.[0]?.message);
  return message.includes(field) && message.includes(operator);
};

/** Reads two pages by cursor: the second compares the field with the position of the first. */
async function playCursor(api: Api, target: SweepTarget, { name }: SweepField): Promise<readonly string[]> {
  const query = { sort: [name], limit: 1, meta: 'cursor' };
  const first = await api.search(itemsPath(target.collection), { query });
  if (isBroken(first)) return [describeFailure(target, `cursor by ${name}`, first)];
  const next: unknown = first.body?.meta?.cursor?.next;
  if (typeof next !== 'string') return [];
  const second = await api.search(itemsPath(target.collection), { query: { ...query, cursor: next } });
  return second.status === 200 ? [] : [describeFailure(target, `second page by ${name}`, second)];
}
