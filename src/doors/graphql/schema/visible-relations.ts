// Which relations of a field the caller sees as relations. One that leads to nothing he may read is a plain key, or is not there.

import { findField } from '../../../core/access/view.js';
import type { Collection, Field } from '../../../core/schema/schema.js';
import type { Drawing } from './drawing.js';

export type VisibleRelation =
  /** `key`: the field of the related item that ours holds. */
  | { readonly kind: 'one'; readonly related: Collection; readonly key: string }
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
  if (relation.kind === 'm2o') return { kind: 'one', related, key: relation.relatedField };
  return findField(drawing.view, related, relation.relatedField, 'read') === null ? null : { kind: 'many', related };
}
