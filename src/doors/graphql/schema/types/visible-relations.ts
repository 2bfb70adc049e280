// The relation of a field, if the caller may read the collection it leads to. Otherwise the field is a plain key, or is left out.

import { findField } from '../../../../core/access/view.js';
import type { Collection, Field } from '../../../../core/schema/schema.js';
import type { Drawing } from './drawing.js';

export type VisibleRelation =
  /** `keys`: the fields of the related item that the relation refers to. */
  | { readonly kind: 'one'; readonly related: Collection; readonly keys: readonly string[] }
  | { readonly kind: 'many'; readonly related: Collection }
  | { readonly kind: 'any'; readonly related: readonly Collection[] };

export function visibleRelation(drawing: Drawing, field: Field): VisibleRelation | null {
  if (field.kind === 'presentation' || field.relation === null) return null;
  const { relation } = field;
  if (relation.kind === 'm2a') {
    const related = relation.allowed.flatMap((name) => drawing.find(name, 'read') ?? []);
    return related.length === 0 ? null : { kind: 'any', related };
  }
  const related = drawing.find(relation.related, 'read');
  if (related === null) return null;
  if (relation.kind === 'm2o') return { kind: 'one', related, keys: relation.pairs.map(({ target }) => target) };
  return findField(drawing.view, related, relation.relatedField, 'read') === null ? null : { kind: 'many', related };
}
