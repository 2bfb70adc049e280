// Binds the entries of `deep` that no output uses, so that a mistake or a forbidden name in them is reported and not ignored.

import { lookUpField } from '../../access/view.js';
import { invalidQuery } from '../../errors/service-error.js';
import type { Query } from '../../query/query.js';
import type { Collection } from '../../schema/schema.js';
import { type BindContext, checkDepth } from '../names/bind-context.js';
import { bindScopedHop } from '../names/bind-hop.js';
import { bindGroups } from './bind-groups.js';
import { bindPage } from './bind-page.js';
import type { Output } from './bound-read.js';

export interface DeepPlace {
  readonly collection: Collection;
  readonly depth: number;
  readonly query: Query;
}

const grouped = '_aggregated';

/** `outputOf` returns the output under a key of the answer. */
export function checkDeep(context: BindContext, place: DeepPlace, outputOf: (name: string) => Output | null): void {
  for (const [key, query] of Object.entries(place.query.deep)) {
    // `item:pages` refers to one collection of a many-to-any.
    const [name = key, scope = null] = key.split(':', 2);
    const output = outputOf(name);
    if (output === null || !usesDeep(output)) checkUnused(context, place, query, name, scope);
    else if (output.kind !== 'groups') refuseGroups(name, query);
  }
}

const usesDeep = ({ kind }: Output): boolean => kind === 'to-one' || kind === 'to-many' || kind === 'to-any' || kind === 'groups';

function checkUnused(context: BindContext, place: DeepPlace, query: Query, name: string, scope: string | null): void {
  const { collection } = place;
  const isGroup = name.endsWith(grouped) && !collection.fields.has(name);
  const field = lookUpField(context.view, collection, isGroup ? name.slice(0, -grouped.length) : name, 'read');
  const depth = place.depth + 1;
  checkDepth(context, depth);
  const { related, visible } = bindScopedHop(context, collection, field, scope);
  if (isGroup) {
    bindGroups(context, related, query, { depth, visible, also: null });
    return;
  }
  refuseGroups(name, query);
  bindPage(context, related, query, { depth, visible, also: null, sortField: null });
  checkDeep(context, { collection: related, depth, query }, () => null);
}

function refuseGroups(name: string, query: Query): void {
  if (query.aggregate.length > 0 || query.groupBy.length > 0 || query.having !== null)
    throw invalidQuery(`Aggregates of "${name}" are asked for as "${name}${grouped}".`);
}
