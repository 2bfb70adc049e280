// What a field is at this moment: its metadata, changed by the last of its conditions that the draft satisfies.

import { type MatchContext, matches } from './match-filter.js';
import type { Collection, Field } from './model.js';
import { choicesOf } from './read-meta.js';

type Values = Readonly<Record<string, unknown>>;

/** The place of the last condition that the values satisfy; -1 when none does. A number, so that a form can compare it cheaply. */
export function activeCondition(context: MatchContext, collection: Collection, field: Field, values: Values): number {
  return field.conditions.findLastIndex((condition) => matches(context, collection, objectOf(condition)['rule'], values));
}

/** The field as the condition at `index` leaves it. */
export function withCondition(field: Field, index: number): Field {
  const condition = objectOf(field.conditions[index]);
  if (Object.keys(condition).length === 0) return field;
  const options = { ...field.options, ...objectOf(condition['options']) };
  return {
    ...field,
    hidden: booleanOf(condition['hidden']) ?? field.hidden,
    readonly: booleanOf(condition['readonly']) ?? field.readonly,
    required: booleanOf(condition['required']) ?? field.required,
    options,
    choices: choicesOf(options['choices']) ?? field.choices,
  };
}

const booleanOf = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);
const objectOf = (value: unknown): Values => (typeof value === 'object' && value !== null ? (value as Values) : {});
