// How a list of related items is read: from the collection that holds the foreign key, which is a junction for many-to-many and many-to-any,
// with the fields that the titles of the related items need.

import type { StagedEntry } from '../../draft/staged.js';
import { escapeName } from '../../schema/field-path.js';
import { type Collection, type Field, isNameOf, type Relation, type Schema } from '../../schema/model.js';
import { type TemplatePart, templateFor, templatePaths } from '../../schema/templates.js';

/** A collection whose items the list may hold. */
export interface Target {
  readonly collection: Collection;
  readonly template: readonly TemplatePart[];
}

export interface ListPlan {
  /** The collection whose rows make the list. */
  readonly read: Collection;
  /** One, or several of a many-to-any relation. */
  readonly targets: readonly Target[];
  readonly foreignKey: string;
  /** Null without a junction. */
  readonly junctionField: string | null;
  /** The field that names the collection of a row; null when there is one collection only. */
  readonly collectionField: string | null;
  readonly sortField: string | null;
  readonly fields: readonly string[];
}

/** Null for collections the caller does not see. */
export function planList(field: Field, schema: Schema): ListPlan | null {
  const { relation } = field;
  if (relation?.kind !== 'o2m' && relation?.kind !== 'm2m') return null;
  const read = schema.get(relation.kind === 'o2m' ? relation.related : relation.junction);
  const targets = namesOf(relation).flatMap((name) => targetsOf(schema.get(name), field));
  if (read === undefined || read.keys.length === 0 || targets.length === 0) return null;
  const junctionField = relation.kind === 'm2m' ? relation.junctionField : null;
  const collectionField = relation.kind === 'm2m' ? (relation.any?.collectionField ?? null) : null;
  const prefixOf = ({ collection }: Target): string => {
    if (junctionField === null) return '';
    return collectionField === null ? `${escapeName(junctionField)}.` : `${escapeName(junctionField)}:${collection.name}.`;
  };
  const shown = targets.flatMap((target) => pathsOf(target).map((path) => prefixOf(target) + path));
  return {
    read,
    targets,
    foreignKey: relation.foreignKey,
    junctionField,
    collectionField,
    sortField: relation.sortField,
    fields: [...new Set([...read.keys.map(escapeName), ...(collectionField === null ? [] : [escapeName(collectionField)]), ...shown])],
  };
}

function namesOf(relation: Relation): readonly string[] {
  if (relation.kind === 'm2m' && relation.any !== null) return relation.any.allowed;
  return relation.kind === 'm2a' || relation.related === null ? [] : [relation.related];
}

function targetsOf(collection: Collection | undefined, { options, relation }: Field): readonly Target[] {
  if (collection === undefined || collection.keys.length === 0) return [];
  const configured = typeof options['template'] === 'string' ? options['template'] : '';
  // Templates of many-to-many lists are written from the junction's view.
  const template = relation?.kind === 'm2m' ? configured.replaceAll(`{{${relation.junctionField}.`, '{{') : configured;
  return [{ collection, template: templateFor(collection, template) }];
}

const fileFacts = ['title', 'filename_download', 'type'];

const pathsOf = ({ collection, template }: Target): readonly string[] => [
  ...collection.keys.map(escapeName),
  ...templatePaths(template),
  ...(isFiles(collection) ? fileFacts : []),
];

export const isFiles = ({ name }: Collection): boolean => isNameOf('files', name);

/** The collection of an entry's item. */
export const targetOf = ({ targets, collectionField }: ListPlan, { collection }: Pick<StagedEntry, 'collection'>): Target | undefined =>
  collectionField === null ? targets[0] : targets.find((target) => target.collection.name === collection);
