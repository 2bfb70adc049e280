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

/** Types without an order, or with values too long for an index. */
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

/**
 * The fields of a useful index: those compared for equality first, then one compared with bounds or the fields of the order. Among rows
 * with equal leading fields, an index provides the order of the next ones.
 */
function demand(collection: Collection, link: readonly string[], filter: BoundFilter | null, order: readonly BoundOrder[]): IndexDemand {
  const compared = comparisons(filter);
  const equal = compared.flatMap(({ field, kind }) => (kind === 'equal' ? field : []));
  const bounded = compared.flatMap(({ field, kind }) => (kind === 'range' ? field : []));
  const sorted = orderFields(collection, order);
  const rest = bounded.length > 0 && bounded[0] !== sorted[0] ? bounded.slice(0, 1) : sorted;
  // An index for the order alone does not help if conditions discard most of the rows.
  const follows = link.length + equal.length + bounded.length > 0 || filter === null;
  return { collection, fields: distinct([...link, ...equal, ...(follows ? rest : [])]).slice(0, mostFields) };
}

/** Further fields enlarge the index without narrowing the search much. */
const mostFields = 4;

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)];

interface Comparison {
  readonly field: string;
  readonly kind: 'equal' | 'range';
}

/** The comparisons that must all hold. Alternatives are left out, since each would need its own index. */
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

/**
 * The leading fields of the order with the same direction, since an index is read in one direction. The key that ends every order is cheap
 * to sort by.
 */
function orderFields(collection: Collection, order: readonly BoundOrder[]): readonly string[] {
  const turn = order.findIndex(({ value, descending }) => indexable(value) === null || descending !== order[0]?.descending);
  const fields = (turn === -1 ? order : order.slice(0, turn)).flatMap(({ value }) => indexable(value) ?? []);
  const isKey = (name: string | undefined): boolean => name !== undefined && collection.primaryKey.includes(name);
  return fields.slice(0, fields.findLastIndex((name) => !isKey(name)) + 1);
}

/** The demands of the related items that a filter looks up. */
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
