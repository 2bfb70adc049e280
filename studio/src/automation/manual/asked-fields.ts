// The fields that are asked before a flow is started by hand, in the form other applications store them. Pure.

import { buildSchema, type RawField } from '../../schema/build-schema.js';
import type { Collection } from '../../schema/model.js';
import type { Options } from '../flow-model.js';

export type StoredField = Options;

export const fieldKinds = ['text', 'long', 'number', 'boolean', 'date', 'choice'] as const;
export type FieldKind = (typeof fieldKinds)[number];

const facts: Readonly<Record<FieldKind, { readonly type: string; readonly interface: string }>> = {
  text: { type: 'string', interface: 'input' },
  long: { type: 'text', interface: 'input-multiline' },
  number: { type: 'integer', interface: 'input' },
  boolean: { type: 'boolean', interface: 'boolean' },
  date: { type: 'date', interface: 'datetime' },
  choice: { type: 'string', interface: 'select-dropdown' },
};

const metaOf = ({ meta }: StoredField): Options => (typeof meta === 'object' && meta !== null ? (meta as Options) : {});

/** Null: it is of another kind, which is kept. */
export function kindOf(field: StoredField): FieldKind | null {
  const { interface: name } = metaOf(field);
  return fieldKinds.find((kind) => facts[kind].type === field['type'] && facts[kind].interface === name) ?? null;
}

export const withKind = (field: StoredField, kind: FieldKind): StoredField => ({
  ...field,
  type: facts[kind].type,
  meta: { ...metaOf(field), interface: facts[kind].interface },
});

const nowhere = 'asked';

/** As a collection whose form asks for them; null: nothing is asked. */
export function askedCollection(fields: unknown, language: string): Collection | null {
  const stored = Array.isArray(fields) ? fields : [];
  const raw = stored.flatMap((field: unknown): readonly RawField[] => {
    if (typeof field !== 'object' || field === null) return [];
    const { field: name, name: title, type, ...rest } = field as StoredField;
    if (typeof name !== 'string' || name === '') return [];
    const titled = typeof title === 'string' && title !== '' ? { translations: [{ language, translation: title }] } : {};
    return [
      {
        collection: nowhere,
        field: name,
        type: typeof type === 'string' ? type : 'string',
        meta: { ...titled, ...metaOf(rest) },
        schema: { is_nullable: true },
      },
    ];
  });
  if (raw.length === 0) return null;
  return buildSchema([{ collection: nowhere, meta: null, schema: {} }], raw, [], language).get(nowhere) ?? null;
}
