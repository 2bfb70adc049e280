// Which rows are configuration, and how they are told apart, read off the definitions: a table whose rows end with their parent is part of the
// parent's thing; a table without keys that mean the same elsewhere is kept in groups. What leads to users or files, what is secret and what
// the service notes by itself stays behind.

import type { SystemDefinition, SystemField, SystemRelation } from '../../../core/schema/system-definition.js';
import type { SystemHome } from '../../../core/schema/system-home.js';
import { systemDefinitions } from '../../definitions/system-definitions.js';

export interface RowKind {
  /** The name of the table without its prefix. */
  readonly name: string;
  /** Under the names of the code. */
  readonly definition: SystemDefinition;
  /** The fields of a document, the key not included. */
  readonly fields: readonly SystemField[];
  /** uuid: the key travels; parent: rows are told apart by what they say, inside their parent; group: the same inside of a group; single: there is one. */
  readonly identity: 'uuid' | 'parent' | 'group' | 'single';
  /** The field whose values make the groups. */
  readonly group: string | null;
  /** The fields that tell rows of a group apart; empty: everything they say. */
  readonly natural: readonly string[];
  /** The fields that name rows of configuration, which may be made later. */
  readonly links: readonly string[];
  /** The fields that make a row somebody's own. */
  readonly personal: readonly string[];
  readonly children: readonly ChildKind[];
}

interface ChildKind {
  /** The field that names the parent. */
  readonly parent: string;
  readonly kind: RowKind;
}

const isConfiguration = ({ kept }: SystemDefinition): boolean => kept === 'configuration';
/** Names the database itself, not a choice of anybody. */
const ofTheDatabase = ['project_id'];
const secretFlags = ['hash', 'conceal', 'date-created', 'date-updated', 'user-created', 'user-updated'];

/** `home`: leaves out columns that the tables of another server lack. */
export function rowKinds(home: SystemHome): readonly RowKind[] {
  const all = systemDefinitions.filter(isConfiguration);
  const parents = new Map(
    all.flatMap((definition) => parentOf(definition, all).map((relation) => [definition.collection, relation] as const)),
  );
  const make = (definition: SystemDefinition): RowKind => {
    const present = new Set(home.find(definition).definition.fields.map(({ field }) => field));
    const children = all
      .filter((child) => parents.get(child.collection)?.related === definition.collection)
      .map((child): ChildKind => ({ parent: parents.get(child.collection)?.field ?? '', kind: make(child) }));
    return describe(definition, parents.get(definition.collection) ?? null, present, children, all);
  };
  return all.filter(({ collection }) => !parents.has(collection)).map(make);
}

/** The relation by which rows end with another row that they cannot be without. */
function parentOf({ fields, relations }: SystemDefinition, all: readonly SystemDefinition[]): readonly SystemRelation[] {
  const isParent = ({ field, related, onDelete }: SystemRelation): boolean =>
    onDelete === 'CASCADE' && isAmong(related, all) && fields.some((entry) => entry.field === field && !entry.nullable);
  return relations.filter(isParent).slice(0, 1);
}

const isAmong = (collection: string, all: readonly SystemDefinition[]): boolean =>
  all.some((definition) => definition.collection === collection);

function describe(
  definition: SystemDefinition,
  parent: SystemRelation | null,
  present: ReadonlySet<string>,
  children: readonly ChildKind[],
  all: readonly SystemDefinition[],
): RowKind {
  const { fields, relations, primaryKey, singleton, uniques } = definition;
  const leading = new Map(relations.map((relation) => [relation.field, relation]));
  const leadsAway = ({ field }: SystemField): boolean => leading.has(field) && !isAmong(leading.get(field)?.related ?? '', all);
  const isCarried = (field: SystemField): boolean =>
    present.has(field.field) &&
    !primaryKey.includes(field.field) &&
    field.field !== parent?.field &&
    !field.hidden &&
    !ofTheDatabase.includes(field.field) &&
    !field.special.some((flag) => secretFlags.includes(flag)) &&
    !leadsAway(field);
  const carried = fields.filter(isCarried);
  const [unique = []] = uniques;
  const hasOwnKey = fields.some(({ field, type }) => primaryKey.includes(field) && type === 'uuid') && unique.length === 0;
  const group = unique[0] ?? fields.find(({ names }) => names)?.field ?? null;
  const identity = singleton ? 'single' : hasOwnKey ? 'uuid' : parent === null ? 'group' : 'parent';
  return {
    name: definition.collection.replace(/^service_/, ''),
    definition,
    fields: carried,
    identity,
    group: identity === 'group' ? group : null,
    natural: unique.filter((name) => name !== group),
    links: carried.filter(({ field }) => leading.has(field)).map(({ field }) => field),
    personal: fields.filter((field) => leadsAway(field) && leading.get(field.field)?.onDelete === 'CASCADE').map(({ field }) => field),
    children,
  };
}
