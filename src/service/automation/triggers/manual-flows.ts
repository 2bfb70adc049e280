// The flows that a caller may start by hand, as an application offers them: by their names, with what is asked before, and without what they do.

import { type Caller, findCollection } from '../../../core/access/view.js';
import type { PlainObject } from '../../../core/util/plain-object.js';
import type { Flow } from '../model/flow.js';

export interface ManualFlow extends Pick<Flow, 'id' | 'name' | 'icon' | 'color'> {
  readonly options: PlainObject;
}

/** Of the options those that concern whoever starts the flow. */
const told = ['location', 'requireSelection', 'requireConfirmation', 'confirmationDescription', 'fields', 'async'];

/** By name; each with the collections that the caller may read, which is who may start it. */
export function manualFlowsFor({ accountability, view }: Caller, flows: readonly Flow[]): readonly ManualFlow[] {
  if (accountability.user === null) return [];
  return flows
    .filter(({ trigger }) => trigger === 'manual')
    .toSorted((left, right) => left.name.localeCompare(right.name) || left.id.localeCompare(right.id))
    .flatMap(({ id, name, icon, color, options }) => {
      const offered = Array.isArray(options['collections']) ? options['collections'] : [];
      const collections = offered.filter((each) => typeof each === 'string' && findCollection(view, each, 'read') !== null);
      if (collections.length === 0) return [];
      const kept = told.filter((option) => option in options).map((option) => [option, options[option]]);
      return [{ id, name, icon, color, options: { collections, ...Object.fromEntries(kept) } }];
    });
}
