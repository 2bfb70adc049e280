// Which indexes a bound read could use: for each list of items in it, the fields that are compared and those that give the order.

import type { Collection } from '../../schema/schema.js';
import type { ColumnType } from '../../schema/types/field-type.js';
import type { BoundFilter, Scalar } from '../names/bound-filter.js';
import type { BoundGroups, BoundOrder, BoundPage, BoundRead, Output, Shape } from './bound-read.js';

export interface IndexDemand {
  readonly collection: Collection;
  /** In the order in which an index should hold them. */
  readonly fields: readonly string[];
}

/** Values without an order, or so long that no index holds them. */
const unfit: readonly ColumnType[] = ['json', 'csv', 'hash', 'binary', 'unknown'];

export const demandsOfRead = ({ page, shape }: BoundRead): readonly IndexDemand[] =>
  [...demandsOfPage(page, []), ...demandsOfShape(shape)].filter(({ fields }) => fields.length > 0);

export function demandsOfGroups({ collection, filter, groups }: BoundGroups): readonly IndexDemand[] {
  const order = groups.map(({ value }) => ({ value, descending: false }));
  const own = filter === null ? [] : [demand(collection, [], filter, order)];
  return [...own, ...demandsOfFilter(filter)].filter(({ fields }) => fields.length > 0);
}

const demandsOfPage = ({ collection, filter, order }: BoundPage, link: readonly string[]): readonly IndexDemand[] => [
  demand(collection, link, filter, order),
  ...demandsOfFilter(filter),
];

/** Fields that have to be equal come first, then one that lies between bounds, or those of the order: an index gives the order of what is equal. */
function demand(collection: Collection, link: readonly string[], filter: BoundFilter | null, order: readonly BoundOrder[]): IndexDemand {
  const compared = comparisons(filter);
  const equal = compared.flatMap(({ field, kind }) => (kind === 'equal' ? field : []));
  const bounded = compared.flatMap(({ field, kind }) => (kind === 'range' ? field : []));
  const sorted = orderFields(collection, order);
  const rest = bounded.length > 0 && bounded[0] !== sorted[0] ? bounded.slice(0, 1) : sorted;
  // The order alone helps only where no condition throws most of the rows away.
  const follows = link.length + equal.length + bounded.length > 0 || filter === null;
  return { collection, fields: distinct([...link, ...equal, ...(follows ? rest : [])]).slice(0, mostFields) };
}

/** More fields make an index larger and hardly narrower. */
const mostFields = 4;

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)];

interface Comparison {
  readonly field: string;
  readonly kind: 'equal' | 'range';
}

/** Of conditions that all have to hold: of alternatives, each would need an index of its own. */
function comparisons(filter: BoundFilter | null): readonly Comparison[] {
  if (filter === null) return [];
  if (filter.kind === 'and' || (filter.kind === 'or' && filter.filters.length === 1)) return filter.filters.flatMap(comparisons);
  if (filter.kind !== 'compare') return [];
  const field = indexable(filter.value);
  if (field === null) return [];
  if (filter.operator === '_eq' || filter.operator === '_in' || filter.operator === '_null') return [{ field, kind: 'equal' }];
  return ['_gt', '_gte', '_lt', '_lte', '_between'].includes(filter.operator) ? [{ field, kind: 'range' }] : [];
}

function indexable(value: Scalar): string | null {
  if (value.kind !== 'column' || value.rule !== null) return null;
  const { type } = value.field.column;
  return unfit.includes(type) || type.startsWith('geometry') ? null : value.field.name;
}

/** An index is read in one direction. The key at the end, which every order has, costs little to sort by. */
function orderFields(collection: Collection, order: readonly BoundOrder[]): readonly string[] {
  const turn = order.findIndex(({ value, descending }) => indexable(value) === null || descending !== order[0]?.descending);
  const fields = (turn === -1 ? order : order.slice(0, turn)).flatMap(({ value }) => indexable(value) ?? []);
  const isKey = (name: string | undefined): boolean => name !== undefined && collection.primaryKey.includes(name);
  return fields.slice(0, fields.findLastIndex((name) => !isKey(name)) + 1);
}

/** Related items that a condition asks for. */
function demandsOfFilter(filter: BoundFilter | null): readonly IndexDemand[] {
  if (filter === null) return [];
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(demandsOfFilter);
    case 'exists': {
      const link = filter.relation.kind === 'o2m' ? filter.relation.pairs.map(({ column }) => column) : [];
      return [demand(filter.related, link, filter.filter, []), ...demandsOfFilter(filter.filter)];
    }
    default:
      return [];
  }
}

const demandsOfShape = (shape: Shape): readonly IndexDemand[] =>
  (shape.kind === 'value' ? [shape.value] : shape.fields.map(({ output }) => output)).flatMap(demandsOfOutput);

function demandsOfOutput(output: Output): readonly IndexDemand[] {
  switch (output.kind) {
    case 'to-one':
      return demandsOfShape(output.shape);
    case 'to-many':
      return [
        ...demandsOfPage(
          output.page,
          output.relation.pairs.map(({ column }) => column),
        ),
        ...demandsOfShape(output.shape),
      ];
    case 'object':
      return output.fields.flatMap((field) => demandsOfOutput(field.output));
    case 'to-any':
      return output.targets.flatMap(({ shape }) => (shape === null ? [] : demandsOfShape(shape)));
    default:
      return [];
  }
}
