// The changes of rows that make things so: what is to be removed, made and changed, in an order in which no unique value and no foreign key is
// in the way. Links between rows are cut first and set last.

import { systemDefinitions } from '../../definitions/system-definitions.js';
import type { RowChange } from '../../structure/plan/change-set.js';
import type { RowKind } from './row-kinds.js';
import { childDocuments, keyOf, ownRows, type Row, type RowsByKind, valuesOf } from './row-things.js';
import { ConfigurationRefused, type Document, isSameValue, type Thing } from './thing.js';

interface Draft {
  readonly kind: RowKind;
  readonly present: Row | null;
  readonly wanted: Row | null;
}

export interface ThingChange {
  readonly kind: RowKind;
  /** null: to be made. */
  readonly present: Thing | null;
  /** null: to be removed. */
  readonly wanted: Thing | null;
}

/** Rows that users have get another key: whatever names the old one names the new one from then on. */
export interface Rekeyed {
  readonly kind: RowKind;
  readonly from: string;
  readonly to: string;
}

export function planRows(changes: readonly ThingChange[], rekeyed: readonly Rekeyed[], rows: RowsByKind): readonly RowChange[] {
  const drafts = changes.flatMap((change) => draftThing(change, rows));
  const order = drafts.filter(
    ({ present, wanted }) => present === null || wanted === null || Object.keys(differing(present, wanted)).length > 0,
  );
  return [...cutLinks(order), ...insertions(order), ...updates(order), ...rekeyed.flatMap(repoint), ...removals(order)];
}

function draftThing({ kind, present, wanted }: ThingChange, rows: RowsByKind): readonly Draft[] {
  const place = (wanted ?? present)?.path ?? kind.name;
  if (kind.identity === 'single') {
    const [row = null] = ownRows(kind, rows, null);
    return wanted === null ? [] : [{ kind, present: row, wanted: { [keyOf(kind)]: 1, ...valuesOf(kind, wanted.document, place) } }];
  }
  if (kind.identity === 'group') return draftGroup(kind, (wanted ?? present)?.key ?? '', wanted, rows);
  const row = present === null ? null : (ownRows(kind, rows, null).find((entry) => entry[keyOf(kind)] === present.key) ?? null);
  return draftRow(kind, row, wanted?.document ?? null, {}, rows, place);
}

/** A row with its children. `more`: values that the document does not state. */
function draftRow(
  kind: RowKind,
  present: Row | null,
  document: Document | null,
  more: Row,
  rows: RowsByKind,
  place: string,
): readonly Draft[] {
  const key = keyOf(kind);
  const own =
    document === null
      ? null
      : { ...(kind.identity === 'uuid' ? { [key]: document[key] } : {}), ...more, ...valuesOf(kind, document, place) };
  const id = own?.[key] ?? present?.[key];
  const children = kind.children.flatMap(({ parent, kind: child }) => {
    const found = present === null ? [] : ownRows(child, rows, { field: parent, key: present[key] });
    const asked = document === null ? [] : childDocuments(document, child.name, place);
    return pair(child, found, asked, { [parent]: id }, rows, place);
  });
  return [{ kind, present, wanted: own }, ...children];
}

/** Rows and documents of a list: the same by their key, else by what they say. */
function pair(
  kind: RowKind,
  found: readonly Row[],
  asked: readonly Document[],
  more: Row,
  rows: RowsByKind,
  place: string,
): readonly Draft[] {
  const left = [...found];
  const take = (fits: (row: Row) => boolean): Row | null => {
    const at = left.findIndex(fits);
    return at === -1 ? null : (left.splice(at, 1)[0] ?? null);
  };
  const drafts = asked.flatMap((document) => {
    if (kind.identity === 'uuid')
      return draftRow(
        kind,
        take((row) => row[keyOf(kind)] === document[keyOf(kind)]),
        document,
        more,
        rows,
        place,
      );
    const wanted = { ...more, ...valuesOf(kind, document, place) };
    const isIt = (row: Row): boolean =>
      kind.natural.length > 0
        ? kind.natural.every((name) => isSameValue(row[name], wanted[name]))
        : Object.keys(differing(row, wanted)).length === 0;
    return [{ kind, present: take(isIt), wanted }];
  });
  return [...drafts, ...left.flatMap((row) => draftRow(kind, row, null, {}, rows, place))];
}

function draftGroup(kind: RowKind, name: string, wanted: Thing | null, rows: RowsByKind): readonly Draft[] {
  const { group } = kind;
  if (group === null) return [];
  const value = name === '' ? null : name;
  const found = ownRows(kind, rows, null).filter((row) => (row[group] ?? null) === value);
  const asked =
    wanted === null ? [] : childDocuments(wanted.document, 'entries', wanted.path).map((entry) => ({ ...entry, [group]: value }));
  return pair(kind, found, asked, {}, rows, wanted?.path ?? kind.name);
}

const repoint = ({ kind, from, to }: Rekeyed): readonly RowChange[] =>
  systemDefinitions.flatMap(({ collection, relations }) =>
    relations
      .filter(({ related }) => related === kind.definition.collection)
      .map(({ field }) => ({ kind: 'update' as const, collection, set: { [field]: to }, where: { [field]: from } })),
  );

const differing = (present: Row, wanted: Row): Row =>
  Object.fromEntries(Object.entries(wanted).filter(([name, value]) => !isSameValue(present[name], value)));

const where = (kind: RowKind, row: Row): Row => ({ [keyOf(kind)]: row[keyOf(kind)] });

/** Unique values count as links: two rows may exchange them. */
function cutLinks(drafts: readonly Draft[]): readonly RowChange[] {
  return drafts.flatMap(({ kind, present, wanted }) => {
    if (present === null) return [];
    const unique = kind.fields.filter((field) => field.unique && field.nullable).map(({ field }) => field);
    const names = [...new Set([...kind.links, ...unique])].filter((name) => isNullable(kind, name) && (present[name] ?? null) !== null);
    const cut = names.filter((name) => wanted === null || !isSameValue(present[name], wanted[name]));
    return cut.length === 0
      ? []
      : [
          {
            kind: 'update' as const,
            collection: kind.definition.collection,
            set: Object.fromEntries(cut.map((name) => [name, null])),
            where: where(kind, present),
          },
        ];
  });
}

const isNullable = (kind: RowKind, name: string): boolean => kind.fields.some(({ field, nullable }) => field === name && nullable);

/** Children come behind their parents, so they are removed in the opposite order. */
const removals = (drafts: readonly Draft[]): readonly RowChange[] =>
  drafts
    .toReversed()
    .flatMap(({ kind, present, wanted }) =>
      present === null || wanted !== null
        ? []
        : [{ kind: 'delete' as const, collection: kind.definition.collection, where: where(kind, present) }],
    );

function insertions(drafts: readonly Draft[]): readonly RowChange[] {
  return drafts.flatMap(({ kind, present, wanted }) => {
    if (present !== null || wanted === null) return [];
    const key = keyOf(kind);
    const makesKey = wanted[key] === undefined && kind.definition.fields.some(({ field, type }) => field === key && type === 'uuid');
    const row = { ...(makesKey ? { [key]: crypto.randomUUID() } : {}), ...wanted };
    if (kind.identity === 'uuid' && typeof row[key] !== 'string')
      throw new ConfigurationRefused(`${kind.name}: an entry without "${key}", which has to be a UUID`);
    const kept = Object.entries(row).filter(([name, value]) => value !== null && !(kind.links.includes(name) && isNullable(kind, name)));
    return [{ kind: 'insert' as const, collection: kind.definition.collection, row: Object.fromEntries(kept) }];
  });
}

function updates(drafts: readonly Draft[]): readonly RowChange[] {
  return drafts.flatMap(({ kind, present, wanted }) => {
    if (wanted === null) return [];
    const changed =
      present === null
        ? Object.fromEntries(
            Object.entries(wanted).filter(([name, value]) => kind.links.includes(name) && isNullable(kind, name) && value !== null),
          )
        : differing(present, wanted);
    return Object.keys(changed).length === 0
      ? []
      : [
          {
            kind: 'update' as const,
            collection: kind.definition.collection,
            set: changed,
            where: where(kind, wanted[keyOf(kind)] === undefined && present !== null ? present : wanted),
          },
        ];
  });
}
