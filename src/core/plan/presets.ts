// Presets of the caller's permissions: values under the payload, in the order of his policies; they may set fields he may not name.

import { grantOf } from '../access/view.js';
import type { Collection } from '../schema/schema.js';
import type { WriteContext } from './write-context.js';
import type { Payload } from './write-payload.js';

export function withPresets(context: WriteContext, collection: Collection, action: 'create' | 'update', payload: Payload): Payload {
  const grant = grantOf(context.caller.view, collection.name, action);
  if (grant === null || grant === 'all' || grant.every((permission) => permission.presets === null)) return payload;
  const presets = Object.assign({}, ...grant.map((permission) => permission.presets ?? {}));
  return { ...Object.fromEntries(Object.entries(presets).map(([name, value]) => [name, context.resolve(value)])), ...payload };
}
