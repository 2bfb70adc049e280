// The columns of an answer, for exports: nested objects are flattened, lists are one value. JSON values may contain any keys and are open.

import type { BoundGroups, Output, Shape, ShapeField } from './bound-read.js';

export interface AnswerColumn {
  /** The keys that lead to the value: `['author', 'name']`. */
  readonly path: readonly string[];
  /** The value may be an object whose keys are known from the items only. */
  readonly open: boolean;
}

export function columnsOfShape(shape: Shape): readonly AnswerColumn[] {
  return shape.kind === 'value' ? [] : columnsOfFields(shape.fields, []);
}

export const columnsOfGroups = ({ groups, aggregates }: BoundGroups): readonly AnswerColumn[] => [
  ...groups.map(({ as }) => ({ path: [as], open: false })),
  ...aggregates.map(({ fn, as }) => ({ path: as === null ? [fn] : [fn, as], open: false })),
];

const columnsOfFields = (fields: readonly ShapeField[], above: readonly string[]): readonly AnswerColumn[] =>
  fields.flatMap(({ as, output }) => columnsOfOutput(output, [...above, as]));

function columnsOfOutput(output: Output, path: readonly string[]): readonly AnswerColumn[] {
  if (output.kind === 'object') return columnsOfFields(output.fields, path);
  if (output.kind === 'to-one' && output.shape.kind === 'object') return columnsOfFields(output.shape.fields, path);
  return [{ path, open: isOpen(output) }];
}

function isOpen(output: Output): boolean {
  if (output.kind === 'json-value' || output.kind === 'to-any') return true;
  return output.kind === 'scalar' && output.scalar.kind === 'column' && output.scalar.field.type === 'json';
}
