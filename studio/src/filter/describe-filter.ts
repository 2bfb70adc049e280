// A filter in words, for chips.

import { cellText } from '../displays/cell-text.js';
import type { Collection, Field, Schema } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import type { Language } from '../text/use-text.js';
import { type FilterCondition, type FilterNode, operandOf } from './filter-tree.js';
import { type Operator, splitPart, subjectOf } from './operators.js';
import type { TitleOf } from './use-titles.js';

interface Words {
  readonly schema: Schema;
  readonly language: Language;
  readonly titleOf: TitleOf;
}

export function describeNode(words: Words, collection: Collection, node: FilterNode): string {
  const { text } = words.language;
  if (node.kind === 'kept') return JSON.stringify(node.filter);
  if (node.kind === 'condition') return describeCondition(words, collection, node);
  const parts = node.nodes.map((each) => {
    const part = describeNode(words, collection, each);
    return each.kind === 'group' && each.nodes.length > 1 ? `(${part})` : part;
  });
  return parts.join(node.join === '_and' ? ` ${text.list.and} ` : ` ${text.list.or} `);
}

function describeCondition(words: Words, collection: Collection, { path, operator, value }: FilterCondition): string {
  const { schema, language } = words;
  const { field, part } = subjectOf(schema, collection, path);
  const names = path.map((step, index) => stepTitle(schema, collection, path.slice(0, index + 1), step, language));
  const asked = language.text.operators[operator as Operator] ?? operator;
  const values = Array.isArray(value) ? value : [value];
  const printed = values.map((each) => (field === null || part !== null ? plainText(each) : valueText(words, field, each)));
  const joined = printed.join(operandOf(operator) === 'pair' ? ' – ' : ', ');
  return operandOf(operator) === 'none' ? `${names.join(' › ')} ${asked}` : `${names.join(' › ')} ${asked} ${joined}`;
}

function stepTitle(schema: Schema, collection: Collection, path: readonly string[], step: string, { text }: Language): string {
  if (step === '_none') return text.list.none;
  const { part } = splitPart(step);
  const title = subjectOf(schema, collection, path).field?.title ?? step;
  return part === null ? title : `${title} (${text.list.parts[part as keyof typeof text.list.parts] ?? part})`;
}

function valueText({ schema, language, titleOf }: Words, field: Field, value: unknown): string {
  if (typeof value === 'string' && value.startsWith('$')) return describeDynamic(value, language);
  if (field.relation?.kind === 'm2o') return titleOf(field.relation.related, value);
  if (field.type === 'boolean') return cellText(schema, field, value === true || value === 'true', language);
  return cellText(schema, field, value, language);
}

/** `$NOW(-7 days)` and its like in words. */
function describeDynamic(value: string, { text }: Language): string {
  if (value === '$CURRENT_USER') return text.list.me;
  const moved = /^\$NOW\(([+-]?)(\d+) days?\)$/.exec(value);
  if (value === '$NOW') return text.list.now;
  if (moved === null) return value;
  return moved[1] === '-' ? text.list.daysAgo(moved[2] ?? '') : text.list.daysAhead(moved[2] ?? '');
}
