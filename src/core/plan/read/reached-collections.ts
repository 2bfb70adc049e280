// The collections that a bound read reaches through relations, rules and filters included: a change of their items may change the answer.

import { unreachable } from '../../errors/service-error.js';
import type { Collection } from '../../schema/schema.js';
import type { BoundFilter, Scalar } from '../names/bound-filter.js';
import type { BoundGroups, BoundPage, BoundRead, Output, Shape } from './bound-read.js';

/** Without the collection that is read, unless a relation leads back to it. */
export function reachedCollections({ page, shape }: BoundRead): ReadonlySet<Collection> {
  const reached = new Set<Collection>();
  walkPage(reached, page);
  walkShape(reached, shape);
  return reached;
}

type Reached = Set<Collection>;

function walkPage(reached: Reached, { filter, order }: BoundPage): void {
  walkFilter(reached, filter);
  for (const { value } of order) walkScalar(reached, value);
}

function walkShape(reached: Reached, shape: Shape): void {
  if (shape.kind === 'value') walkOutput(reached, shape.value);
  else for (const { output } of shape.fields) walkOutput(reached, output);
}

function walkOutput(reached: Reached, output: Output): void {
  if ('rule' in output) walkFilter(reached, output.rule);
  switch (output.kind) {
    case 'scalar':
      walkScalar(reached, output.scalar);
      return;
    case 'json-value':
    case 'concealed':
    case 'nothing':
    case 'constant':
      return;
    case 'digest':
    case 'object':
      for (const field of output.fields) walkOutput(reached, field.output);
      return;
    case 'to-one':
      reached.add(output.related);
      walkFilter(reached, output.filter);
      walkShape(reached, output.shape);
      return;
    case 'to-many':
      reached.add(output.page.collection);
      walkPage(reached, output.page);
      walkShape(reached, output.shape);
      return;
    case 'to-any':
      for (const { related, filter, shape } of output.targets) {
        reached.add(related);
        walkFilter(reached, filter);
        if (shape !== null) walkShape(reached, shape);
      }
      return;
    case 'groups':
      walkGroups(reached, output.groups);
      return;
    default:
      unreachable(output);
  }
}

function walkGroups(reached: Reached, { collection, filter, groups, aggregates }: BoundGroups): void {
  reached.add(collection);
  walkFilter(reached, filter);
  for (const { value } of groups) walkScalar(reached, value);
  for (const { value } of aggregates) if (value !== null) walkScalar(reached, value);
}

function walkScalar(reached: Reached, scalar: Scalar): void {
  walkFilter(reached, scalar.rule);
  switch (scalar.kind) {
    case 'column':
    case 'date-part':
    case 'json-length':
    case 'json-path':
      return;
    case 'related-count':
      reached.add(scalar.related);
      walkFilter(reached, scalar.filter);
      return;
    case 'through':
      reached.add(scalar.related);
      walkFilter(reached, scalar.filter);
      walkScalar(reached, scalar.value);
      return;
    case 'extreme':
      for (const { related, filter, rule } of scalar.hops) {
        reached.add(related);
        walkFilter(reached, filter);
        walkFilter(reached, rule);
      }
      walkScalar(reached, scalar.value);
      return;
    default:
      unreachable(scalar);
  }
}

function walkFilter(reached: Reached, filter: BoundFilter | null): void {
  if (filter === null) return;
  switch (filter.kind) {
    case 'and':
    case 'or':
      for (const part of filter.filters) walkFilter(reached, part);
      return;
    case 'nothing':
      return;
    case 'compare':
      walkScalar(reached, filter.value);
      return;
    case 'exists':
    case 'exists-any':
      reached.add(filter.related);
      walkFilter(reached, filter.filter);
      walkFilter(reached, filter.rule);
      return;
    default:
      unreachable(filter);
  }
}
