// Nested queries that no output uses: they are bound all the same, so that a mistake or a forbidden name in them is told and not passed over.

import { lookUpField } from '../access/view.js';
import { forbiddenField, invalidQuery } from '../errors/service-error.js';
import type { Query } from '../query/query.js';
import type { Collection, Field } from '../schema/schema.js';
import { type BindContext, checkDepth } from './bind-context.js';
import { bindGroups } from './bind-groups.js';
import { bindAnyHop, bindHop, type Hop } from './bind-hop.js';
import { bindPage } from './bind-page.js';
import type { Output } from './bound.js';

export interface DeepPlace {
  readonly collection: Collection;
  readonly depth: number;
  readonly query: Query;
}

const grouped = '_aggregated';

/** `outputOf`: what is answered under a name. */
export function checkDeep(context: BindContext, place: DeepPlace, outputOf: (name: string) => Output | null): void {
  for (const [key, query] of Object.entries(place.query.deep)) {
    // `item:pages` speaks of one collection of a many-to-any.
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
  const { related, visible } = hopOf(context, collection, field, scope);
  if (isGroup) {
    bindGroups(context, related, query, { depth, visible, also: null });
    return;
  }
  refuseGroups(name, query);
  bindPage(context, related, query, { depth, visible, also: null, sortField: null });
  checkDeep(context, { collection: related, depth, query }, () => null);
}

function hopOf(context: BindContext, collection: Collection, field: Field, scope: string | null): Hop {
  if (field.kind === 'column' && field.relation?.kind === 'm2a') return bindAnyHop(context, collection, field, scope);
  if (scope !== null) throw forbiddenField(`${field.name}:${scope}`, collection.name);
  return bindHop(context, collection, field);
}

function refuseGroups(name: string, query: Query): void {
  if (query.aggregate.length > 0 || query.groupBy.length > 0 || query.having !== null)
    throw invalidQuery(`Aggregates of "${name}" are asked for as "${name}${grouped}".`);
}
