// What can be said about a draft before it is saved: texts that are no values, required fields without a value, and rules of fields that the values break. The service
// decides all the same. Items staged below the draft are checked with it. Pure, imports no framework.

import { activeCondition, withCondition } from '../schema/conditions.js';
import { isFilled, isFixed, isOffered } from '../schema/form-fields.js';
import { isEmpty, type MatchContext, matches } from '../schema/match-filter.js';
import type { Collection, Field } from '../schema/model.js';
import { type Fault, faultIn } from '../schema/typed.js';
import type { Edits, Item } from './item.js';
import type { Refusal } from './refusals.js';
import { entriesOf, relatedOf } from './staged.js';

interface CheckTexts {
  /** By what is wrong with a text that was typed. */
  readonly faults: Readonly<Record<Fault, string>>;
  readonly missing: string;
  readonly invalid: string;
}

interface Draft {
  readonly collection: Collection;
  readonly base: Item;
  readonly edits: Edits;
  readonly isNew: boolean;
  /** A field that the service fills: the reference from an item of a list to the item that lists it. */
  readonly filled: string | null;
}

export function checkDraft(context: MatchContext, draft: Draft, texts: CheckTexts): readonly Refusal[] {
  const { collection, base, edits } = draft;
  const values = { ...base, ...edits };
  const own = collection.fields.flatMap((field): readonly Refusal[] => {
    // Also in a field that a condition hides: what was typed there would be sent.
    const fault = faultIn(edits[field.name]);
    const message =
      fault === null
        ? check(context, draft, withCondition(field, activeCondition(context, collection, field, values)), values, texts)
        : texts.faults[fault];
    return message === null ? [] : [{ steps: [], field: field.name, message }];
  });
  return [...own, ...Object.keys(edits).flatMap((name) => checkBelow(context, collection.fieldsByName.get(name), edits[name], texts))];
}

function check(context: MatchContext, draft: Draft, field: Field, values: Item, texts: CheckTexts): string | null {
  const { collection, edits, isNew, filled } = draft;
  if (field.hidden || field.name === filled || !isOffered(field, isNew) || isFixed(field, isNew)) return null;
  const isEdited = field.name in edits;
  const isLeftToDefault = !isEdited && (!isNew || isFilled(field));
  if (field.required && !isLeftToDefault && isEmpty(values[field.name])) return texts.missing;
  if (!isEdited || field.validation === null || matches(context, collection, field.validation, values)) return null;
  return field.validationMessage ?? texts.invalid;
}

function checkBelow(context: MatchContext, field: Field | undefined, value: unknown, texts: CheckTexts): readonly Refusal[] {
  if (field === undefined) return [];
  const filled = field.relation?.kind === 'o2m' ? field.relation.foreignKey : null;
  return entriesOf(value).flatMap((entry) => {
    const { id, key, shown, edits } = entry;
    const related = relatedOf(context.schema, field.relation, entry);
    if (related === undefined) return [];
    // A linked item without edits is checked as stored.
    const draft = { collection: related, base: shown, edits, isNew: key === null, filled };
    return checkDraft(context, draft, texts).map((refusal) => ({
      ...refusal,
      steps: [{ field: field.name, entry: id }, ...refusal.steps],
    }));
  });
}
