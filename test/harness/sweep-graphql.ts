// The reads of a sweep over GraphQL: everything that the schema offers for each field.

import type { Answer, Api } from './api.js';
import { operandOf } from './sweep-reads.js';
import { describeFailure, inTurns, isBroken, type SweepField, type SweepTarget } from './sweep-targets.js';

const brokenCodes: ReadonlySet<string> = new Set(['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE']);
const typeText = 'name kind ofType { name kind ofType { name kind ofType { name kind } } }';

interface TypeRef {
  readonly name: string | null;
  readonly kind: string;
  readonly ofType: TypeRef | null;
}

interface InputFacts {
  readonly name: string;
  readonly type: TypeRef;
}

/** The type as it is written for a variable. */
function written(type: TypeRef): string {
  if (type.kind === 'NON_NULL' && type.ofType !== null) return `${written(type.ofType)}!`;
  if (type.kind === 'LIST' && type.ofType !== null) return `[${written(type.ofType)}]`;
  return type.name ?? '';
}

async function inputsOf(api: Api, name: string): Promise<readonly InputFacts[]> {
  const answer = await api.graphql(`{ __type(name: "${name}") { inputFields { name type { ${typeText} } } } }`);
  return answer.body?.data?.__type?.inputFields ?? [];
}

async function hasType(api: Api, name: string): Promise<boolean> {
  return (await api.graphql(`{ __type(name: "${name}") { name } }`)).body?.data?.__type !== null;
}

export const graphqlName = (collection: string): string => collection.replaceAll('.', '__');

/** Skips collections whose names are not valid in GraphQL. */
export async function sweepGraphql(api: Api, target: SweepTarget): Promise<readonly string[]> {
  const root = graphqlName(target.collection);
  if (!/^[A-Za-z_]\w*$/.test(root) || !(await hasType(api, root))) return [];
  const failures: string[] = [];
  const filters = await inputsOf(api, `${root}_filter`);
  for (const field of target.fields) {
    const conditions = filters.find(({ name }) => name === field.name);
    if (conditions === undefined) continue;
    const operators = (await inputsOf(api, written(conditions.type))).filter(({ name }) => name.startsWith('_'));
    const isScalar = operators.some(({ name }) => name === '_null');
    if (!isScalar) continue;
    failures.push(...(await playField(api, target, root, field, operators)));
  }
  return failures;
}

async function playField(
  api: Api,
  target: SweepTarget,
  root: string,
  field: SweepField,
  operators: readonly InputFacts[],
): Promise<readonly string[]> {
  const { name } = field;
  const play = async (query: string, variables: unknown = {}): Promise<Answer | string> => {
    const answer = await api.graphql(query, variables);
    const isFailed = isBroken(answer) || codesOf(answer).some((code) => brokenCodes.has(code));
    return isFailed ? describeFailure(target, `GraphQL ${query} on ${field.type}`, answer) : answer;
  };
  const asked = operators.filter((operator) => !['_json', '_and', '_or'].includes(operator.name));
  const filters = asked.map((operator) => async () => {
    const query = `query($v: ${written(operator.type)}) { a: ${root}(limit: 50, filter: {${name}: {${operator.name}: $v}}) { ${name} } }`;
    const answer = await play(query, { v: operandOf(operator.name, field) });
    return typeof answer === 'string' ? [answer] : mustAnswer(target, field, operator.name, answer);
  });
  const reads = [
    `{ ${root}(limit: 2, sort: ["${name}"]) { ${name} } }`,
    `{ ${root}(limit: 2, sort: ["-${name}"]) { ${name} } }`,
    `{ ${root}_aggregated(groupBy: ["${name}"], limit: 5) { group countAll } }`,
    `{ ${root}_aggregated { countAll count { ${name} } countDistinct { ${name} } } }`,
  ].map((query) => async () => [await play(query)].filter((answer) => typeof answer === 'string'));
  return inTurns([...filters, ...reads]);
}

/** A filter by the field's own value must find an item, or be refused with the names of field and operator. */
function mustAnswer(target: SweepTarget, field: SweepField, operator: string, answer: Answer): readonly string[] {
  if ((operator !== '_eq' && operator !== '_in') || field.sample === null) return [];
  const items: unknown = answer.body?.data?.a;
  if (Array.isArray(items) && items.length > 0) return [];
  const refusal = JSON.stringify(answer.body.errors ?? '');
  return refusal.includes(operator) && refusal.includes(field.name)
    ? []
    : [describeFailure(target, `GraphQL ${operator} on ${field.name} (${field.type}) finds nothing:`, answer)];
}

const codesOf = ({ body }: Answer): readonly string[] =>
  Array.isArray(body?.errors) ? body.errors.map((error: { extensions?: { code?: string } }) => error.extensions?.code ?? '') : [];
