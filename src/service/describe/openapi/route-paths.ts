// The operations at the addresses of REST, each as OpenAPI describes it.

import type { OpenRule } from '../../operations/open-rule.js';
import type { Members } from '../../operations/shape.js';
import type { Json } from './json.js';
import { type Answer, content, data, empty, nothing, type OperationFacts, redirect } from './operation.js';
import { answerOf, type OperationRoute, type Placement, placeMembers } from './operation-route.js';
import { itemParameters, listParameters, writtenParameters } from './parameters.js';
import { objectSchema, schemaOf } from './shape-schema.js';

export interface DescribedRoute extends OperationFacts {
  readonly route: string;
  readonly open: readonly OpenRule[];
}

export function describeRoute(route: OperationRoute): readonly DescribedRoute[] {
  const { operation, method, path, described = operation } = route;
  if (described === false) return [];
  const placements = placeMembers(route);
  const queried = placements.filter((placement) => placement.in === 'query');
  return [
    {
      id: described.id,
      summary: described.summary,
      tag: operation.tag,
      route: `${method.toLowerCase()} ${path}`,
      open: operation.open,
      parameters: [...queried.flatMap(sharedParameters), ...headerParameters(route)],
      ownParameters: queried.flatMap(ownParameters),
      ...bodyOf(placements),
      answer: answerSchema(route),
    },
  ];
}

const headerParameters = ({ operation, dryRun, headed = {} }: OperationRoute): readonly string[] => [
  ...(dryRun === undefined ? [] : ['prefer']),
  ...(Object.values(headed).includes('if-match') ? ['match'] : []),
  ...(operation.once === 'never' ? [] : ['idempotency']),
];

/** Parameters of item queries are described once for all operations. */
function sharedParameters({ shape: { facts } }: Placement): readonly string[] {
  if (facts.kind !== 'query') return [];
  return { item: itemParameters, list: listParameters, written: writtenParameters }[facts.of];
}

function ownParameters({ name, shape }: Pick<Placement, 'name' | 'shape'>): readonly Json[] {
  const { facts, absent, description } = shape;
  if (facts.kind === 'query') return [];
  if (facts.kind === 'document') return Object.entries(facts.members).flatMap(([member, of]) => ownParameters({ name: member, shape: of }));
  return [{ name, in: 'query', required: absent === null, ...(description === null ? {} : { description }), schema: schemaOf(shape) }];
}

function bodyOf(placements: readonly Placement[]): Pick<OperationFacts, 'body' | 'form'> {
  const whole = placements.find((placement) => placement.in === 'whole-body');
  if (whole !== undefined) return { body: schemaOf(whole.shape) };
  const inside = placements.filter((placement) => placement.in === 'body');
  if (inside.length === 0) return {};
  const schema = objectSchema(Object.fromEntries(inside.map(({ name, shape }) => [name, shape])) satisfies Members);
  return inside.some(({ shape }) => shape.facts.kind === 'upload') ? { form: schema } : { body: schema };
}

function answerSchema(route: OperationRoute): Answer {
  const answer = answerOf(route);
  const schema = schemaOf(route.operation.output);
  switch (answer.kind) {
    case 'data':
      return data(schema);
    case 'nothing':
      return nothing;
    case 'empty':
      return empty;
    case 'redirect':
      return redirect;
    case 'value':
      return content('application/json', schema);
    case 'bytes':
      return content('*/*', schema);
    case 'content':
      return content(answer.type, schema);
  }
}
