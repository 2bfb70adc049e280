// The conditions of a field in words: "shown if Featured is Yes". Pure.

import { describeNode } from '../../list/filter/describe-filter.js';
import { readFilter } from '../../list/filter/filter-tree.js';
import type { Collection, Field } from '../../schema/model.js';
import type { ModelMessages } from '../../text/english/model.js';

export function describeConditions(
  text: ModelMessages,
  words: Parameters<typeof describeNode>[0],
  collection: Collection,
  field: Field,
): readonly string[] {
  return field.conditions.map((condition) => {
    const stored = (condition ?? {}) as Readonly<Record<string, unknown>>;
    const effects = (['hidden', 'readonly', 'required'] as const).flatMap((name) =>
      typeof stored[name] === 'boolean' && stored[name] !== field[name] ? text.conditionEffects[name][stored[name] ? 'on' : 'off'] : [],
    );
    return text.conditionInWords(effects.join(', ') || text.otherOptions, describeNode(words, collection, readFilter(stored['rule'])));
  });
}
