// The interfaces Studio has, by the names metadata stores. An unknown name gets the usual interface of the field's type.

import { defaultInterface } from '../schema/default-interface.js';
import type { Field } from '../schema/model.js';
import { FileInput } from './file-input.js';
import { type FoundInterface, findPlain, plainInterfaces } from './plain-interfaces.js';
import { ItemChoice, ItemChoices } from './relations/item-choice.js';
import { RelatedItem } from './relations/related-item.js';
import { RelatedList } from './relations/related-list.js';
import { TranslationsInput } from './relations/translations-input.js';
import { RepeaterInput } from './repeater-input.js';

const interfaces: Readonly<Record<string, FoundInterface>> = {
  ...plainInterfaces,
  list: { component: RepeaterInput, hasLabel: false },
  file: { component: FileInput, hasLabel: true },
  'file-image': { component: FileInput, hasLabel: true },
  'select-dropdown-m2o': { component: RelatedItem, hasLabel: true },
  'list-o2m': { component: RelatedList, hasLabel: false },
  'list-m2m': { component: RelatedList, hasLabel: false },
  'list-m2a': { component: RelatedList, hasLabel: false },
  'list-o2m-tree-view': { component: RelatedList, hasLabel: false },
  files: { component: RelatedList, hasLabel: false },
  translations: { component: TranslationsInput, hasLabel: false },
  'collection-item-dropdown': { component: ItemChoice, hasLabel: true },
  'collection-item-multiple-dropdown': { component: ItemChoices, hasLabel: false },
};

export function findInterface(field: Field): FoundInterface & { readonly isKnown: boolean } {
  const named = interfaces[field.interface ?? ''];
  const found = named ?? interfaces[defaultInterface(field)] ?? findPlain(field);
  return { ...found, isKnown: field.interface === null || named !== undefined };
}
