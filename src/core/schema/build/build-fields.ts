// Builds the fields of one collection: its columns in the order of the table, then foreign keys of several columns, then aliases in the
// order of the edit page. A metadata row without a column is an alias (specification 2.4): of the relation that lists it, or else for
// presentation only.

import { listOf, type MetaRow, numberOf, textOf } from '../meta-row.js';
import type { RawColumn } from '../raw.js';
import type { ColumnField, Field, ManyToAny, ManyToOne, OneToMany, PresentationField, ReferenceField, RelationField } from '../schema.js';
import { refineType } from '../specials.js';
import type { CollectionSource } from './collection-source.js';
import { chooseDeselect } from './infer-aliases.js';

export interface CollectionRelations {
  /** By the field that holds the foreign key. */
  readonly manySides: ReadonlyMap<string, ManyToOne | ManyToAny>;
  /** By the alias field that lists the related items. */
  readonly oneSides: ReadonlyMap<string, OneToMany>;
}

export function buildFields(source: CollectionSource, relations: CollectionRelations): ReadonlyMap<string, Field> {
  const columns = [...source.columns.values()].map((column) => columnField(source, column, relations.manySides.get(column.name) ?? null));
  const references = referenceFields(source, relations.manySides);
  return new Map([...columns, ...references, ...aliasFields(source, relations)].map((field) => [field.name, field]));
}

/** Written out instead of spread: a large database has tens of thousands of columns, and every change rebuilds the schema. */
function columnField(source: CollectionSource, column: RawColumn, relation: ManyToOne | ManyToAny | null): ColumnField {
  const row = source.fieldMeta.get(column.name) ?? null;
  const special = flagsOf(row);
  return {
    kind: 'column',
    collection: source.name,
    name: column.name,
    type: source.declared.get(column.name) ?? refineType(column, special),
    special,
    note: textOf(row, 'note') ?? column.comment,
    searchable: row?.searchable !== false,
    validation: row?.validation ?? null,
    validationMessage: textOf(row, 'validation_message'),
    meta: row,
    column,
    relation,
    concealed: special.has('conceal'),
  };
}

const noFlags: ReadonlySet<string> = new Set();

const flagsOf = (row: MetaRow | null): ReadonlySet<string> => (row === null ? noFlags : new Set(listOf(row, 'special')));

function referenceFields(source: CollectionSource, manySides: CollectionRelations['manySides']): readonly ReferenceField[] {
  return [...manySides].flatMap(([name, relation]) => {
    if (relation.kind !== 'm2o' || source.columns.has(name)) return [];
    const row = source.fieldMeta.get(name) ?? null;
    const deselect = chooseDeselect(source, relation.pairs, false, null);
    const clears = deselect.kind === 'nullify' ? deselect.columns : [];
    return { ...shared(source, name, row, row ? flagsOf(row) : new Set(['m2o'])), kind: 'reference', type: 'alias', relation, clears };
  });
}

function aliasFields(source: CollectionSource, { manySides, oneSides }: CollectionRelations): readonly Field[] {
  const isAlias = (name: string): boolean => !source.columns.has(name) && !manySides.has(name);
  const names = new Set([...source.fieldMeta.keys(), ...oneSides.keys()].filter(isAlias));
  const aliases = [...names].map((name) => {
    const relation = oneSides.get(name);
    return relation ? relationField(source, name, relation) : presentationField(source, name);
  });
  return aliases.toSorted(byPlace);
}

function relationField(source: CollectionSource, name: string, relation: OneToMany): RelationField {
  const row = source.fieldMeta.get(name) ?? null;
  const special = row ? flagsOf(row) : new Set([relation.junctionField === null ? 'o2m' : 'm2m']);
  return { ...shared(source, name, row, special), kind: 'relation', type: 'alias', relation };
}

function presentationField(source: CollectionSource, name: string): PresentationField {
  const row = source.fieldMeta.get(name) ?? null;
  return { ...shared(source, name, row, flagsOf(row)), kind: 'presentation', type: 'alias' };
}

const shared = (source: CollectionSource, name: string, row: MetaRow | null, special: ReadonlySet<string>) => ({
  collection: source.name,
  name,
  special,
  note: textOf(row, 'note'),
  searchable: row?.searchable !== false,
  validation: row?.validation ?? null,
  validationMessage: textOf(row, 'validation_message'),
  meta: row,
});

const byPlace = (a: Field, b: Field): number => place(a, 'sort') - place(b, 'sort') || place(a, 'id') - place(b, 'id');

const place = (field: Field, key: 'sort' | 'id'): number => numberOf(field.meta, key) ?? Number.MAX_SAFE_INTEGER;
