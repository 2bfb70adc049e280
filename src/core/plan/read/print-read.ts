// Prints a bound read for `explain`: what is read, under which conditions and rules, in which order, and what is answered.

import { unreachable } from '../../errors/service-error.js';
import type { BoundFilter, BoundHop, Scalar } from '../names/bound-filter.js';
import type { ValueSource } from '../names/value-source.js';
import type {
  BoundAggregate,
  BoundGroups,
  BoundHaving,
  BoundOrder,
  BoundPage,
  BoundRead,
  Output,
  Shape,
  ShapeField,
} from './bound-read.js';

export const printRead = (read: BoundRead): readonly string[] => [...printPage(read.page), ...indent(printShape(read.shape))];

export function printGroups({ collection, filter, groups, aggregates, having, order, limit }: BoundGroups): readonly string[] {
  const terms = order.map((term) =>
    directed(term.kind === 'group' ? (groups[term.index]?.as ?? '') : printAggregate(term.aggregate), term.descending),
  );
  return [
    `group ${collection.name}${printWhere(filter)}`,
    ...indent([
      ...groups.map(({ as, value }) => `by ${as}: ${printScalar(value)}`),
      ...aggregates.map(printAggregate),
      ...(having === null ? [] : [`having ${printHaving(having)}`]),
      ...(terms.length === 0 ? [] : [`order ${terms.join(', ')}`]),
      ...(limit === null || groups.length === 0 ? [] : [`limit ${limit}`]),
    ]),
  ];
}

const indent = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);
const directed = (name: string, descending: boolean): string => (descending ? `${name} desc` : name);
const printOrder = (order: readonly BoundOrder[]): string =>
  order.map((term) => directed(printScalar(term.value), term.descending)).join(', ');
const printWhere = (filter: BoundFilter | null): string => (filter === null ? '' : ` where ${printFilter(filter)}`);
const printRule = (rule: BoundFilter | null): string => (rule === null ? '' : ` only if ${printFilter(rule)}`);

function printPage({ collection, filter, order, after, limit, offset }: BoundPage): readonly string[] {
  return [
    `list ${collection.name}${printWhere(filter)}`,
    ...indent([
      ...(order.length === 0 ? [] : [`order ${printOrder(order)}`]),
      ...(after === null ? [] : ['after the cursor']),
      ...(limit === null ? [] : [`limit ${limit}`]),
      ...(offset === null ? [] : [`offset ${printSource(offset)}`]),
    ]),
  ];
}

const printShape = (shape: Shape): readonly string[] =>
  shape.kind === 'value' ? printField({ as: 'key', output: shape.value }) : shape.fields.flatMap(printField);

function printField({ as, output }: ShapeField): readonly string[] {
  const [first = '', ...rest] = printOutput(output);
  return [`${as}: ${first}`, ...rest];
}

function printOutput(output: Output): readonly string[] {
  switch (output.kind) {
    case 'scalar':
      return [printScalar(output.scalar)];
    case 'json-value':
      return [`${output.field.name} at ${output.path.join('.')}${printRule(output.rule)}`];
    case 'concealed':
      return [`${output.field.name}, concealed${printRule(output.rule)}`];
    case 'nothing':
      return ['null'];
    case 'constant':
      return [JSON.stringify(output.text)];
    case 'digest':
      return ['digest', ...indent(output.fields.flatMap(printField))];
    case 'object':
      return ['object', ...indent(output.fields.flatMap(printField))];
    case 'to-one':
      return [`one of ${output.related.name}${printWhere(output.filter)}${printRule(output.rule)}`, ...indent(printShape(output.shape))];
    case 'to-many':
      return [...printPage(output.page), ...indent(printShape(output.shape))];
    case 'to-any':
      return [
        `one of several${printRule(output.rule)}`,
        ...indent(
          output.targets.flatMap(({ related, filter, shape }) => [
            `${related.name}${printWhere(filter)}`,
            ...indent(shape === null ? [] : printShape(shape)),
          ]),
        ),
      ];
    case 'groups':
      return printGroups(output.groups);
    default:
      return unreachable(output);
  }
}

function printScalar(scalar: Scalar): string {
  return `${printValue(scalar)}${printRule(scalar.rule)}`;
}

function printValue(scalar: Scalar): string {
  switch (scalar.kind) {
    case 'column':
      return scalar.field.name;
    case 'date-part':
      return `${scalar.part}(${scalar.field.name})`;
    case 'json-length':
      return `count(${scalar.field.name})`;
    case 'json-path':
      return `json(${scalar.field.name}, ${scalar.path.join('.')})`;
    case 'related-count':
      return `count(${scalar.relation.field}${printWhere(scalar.filter)})`;
    case 'through':
      return `${scalar.relation.field}.${printScalar(scalar.value)}${printWhere(scalar.filter)}`;
    case 'extreme':
      return `${scalar.pick} of ${scalar.hops.map(printHop).join('.')}.${printScalar(scalar.value)}`;
    default:
      return unreachable(scalar);
  }
}

const printHop = ({ relation, filter }: BoundHop): string => `${relation.field}${printWhere(filter)}`;

function printFilter(filter: BoundFilter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${filter.filters.map(printFilter).join(` ${filter.kind} `)})`;
    case 'nothing':
      return 'nothing';
    case 'compare':
      return `${printScalar(filter.value)} ${filter.operator}${filter.operand === null ? '' : ` ${printSource(filter.operand)}`}`;
    case 'exists':
    case 'exists-any':
      return `${filter.negated ? 'none' : 'some'} ${filter.relation.field} in ${filter.related.name}${printWhere(filter.filter)}${printRule(filter.rule)}`;
    default:
      return unreachable(filter);
  }
}

const printAggregate = ({ fn, value }: BoundAggregate): string => `${fn}(${value === null ? '*' : printScalar(value)})`;

function printHaving(having: BoundHaving): string {
  if (having.kind !== 'compare') return `(${having.filters.map(printHaving).join(` ${having.kind} `)})`;
  return `${printAggregate(having.aggregate)} ${having.operator}${having.operand === null ? '' : ` ${printSource(having.operand)}`}`;
}

function printSource(source: ValueSource): string {
  switch (source.kind) {
    case 'slot':
    case 'key':
      return `?${source.slot}`;
    case 'rule':
    case 'constant':
    case 'written':
      return JSON.stringify(source.value) ?? 'null';
    case 'element':
      return `${printSource(source.of)}[${source.index}]`;
    case 'mark':
      return `cursor[${source.index}]`;
    default:
      return unreachable(source);
  }
}
