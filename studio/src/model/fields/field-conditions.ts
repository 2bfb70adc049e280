// The conditions of a field as the drawer edits them, and as metadata stores them. What the drawer does not know stays. Pure.

import { type FilterGroup, noFilter, printFilter, readFilter } from '../../filter/filter-tree.js';
import { filterableFields } from '../../filter/operators.js';
import type { Collection, Field } from '../../schema/model.js';

export const overrides = ['hidden', 'readonly', 'required'] as const;
export type Override = (typeof overrides)[number];

export interface EditedCondition {
  /** Tells apart what has no name. */
  readonly id: number;
  readonly name: string;
  readonly rule: FilterGroup;
  /** Null: as usual. */
  readonly effects: Readonly<Record<Override, boolean | null>>;
  /** As it was stored. */
  readonly stored: Readonly<Record<string, unknown>>;
}

export function readConditions({ stored: meta }: Field): readonly EditedCondition[] {
  const conditions = Array.isArray(meta?.['conditions']) ? (meta['conditions'] as readonly unknown[]) : [];
  return conditions.map((condition, id) => {
    const stored = typeof condition === 'object' && condition !== null ? (condition as Readonly<Record<string, unknown>>) : {};
    const effect = (name: Override): boolean | null => {
      const value = stored[name];
      return typeof value === 'boolean' ? value : null;
    };
    return {
      id,
      name: typeof stored['name'] === 'string' ? stored['name'] : '',
      rule: readFilter(stored['rule']),
      effects: { hidden: effect('hidden'), readonly: effect('readonly'), required: effect('required') },
      stored,
    };
  });
}

/** The most common condition: the field is shown if a boolean field of the form is true. */
export function newCondition(collection: Collection, field: Field, id: number): EditedCondition {
  const others = filterableFields(collection).filter(({ name }) => name !== field.name);
  const asked = others.find(({ type }) => type === 'boolean');
  const rule: FilterGroup =
    asked === undefined ? noFilter : { ...noFilter, nodes: [{ kind: 'condition', path: [asked.name], operator: '_eq', value: true }] };
  return { id, name: '', rule, effects: { hidden: false, readonly: null, required: null }, stored: {} };
}

/** Of a finished rule. */
export function storeCondition(condition: EditedCondition): Readonly<Record<string, unknown>> {
  const { name, rule, effects, stored } = condition;
  const { hidden: _, readonly: __, required: ___, name: ____, ...kept } = stored;
  const set = overrides.flatMap((override) => (effects[override] === null ? [] : [[override, effects[override]]]));
  return { ...kept, ...(name === '' ? {} : { name }), rule: printFilter(rule), ...Object.fromEntries(set) };
}
