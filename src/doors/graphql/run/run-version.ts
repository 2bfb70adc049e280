// Items with the changes of a version laid over them.

import { invalidPayload } from '../../../core/errors/service-error.js';
import type { ParsedQuery } from '../../../core/query/query.js';
import type { RunContext } from './run-context.js';

/** `id` null: the one item of a singleton. */
export async function readVersion(
  run: RunContext,
  collection: string,
  id: unknown,
  version: string,
): Promise<Readonly<Record<string, unknown>>> {
  return run.engines.readVersion(run.work, collection, await segmentOf(run, collection, id), version);
}

async function segmentOf({ engines, work }: RunContext, collection: string, id: unknown): Promise<string> {
  if (typeof id === 'string')
    return work.caller.view.schema.collections.get(collection)?.primaryKey.length === 1 ? encodeURIComponent(id) : id;
  const [key] = await engines.reader.objects(work, collection, { fields: [...keyOf(work, collection)], limit: 1 });
  if (key === undefined) throw invalidPayload('There is no item yet that could have versions.');
  return Object.values(key)
    .map((part) => encodeURIComponent(String(part)))
    .join(',');
}

const keyOf = ({ caller }: RunContext['work'], collection: string): readonly string[] =>
  caller.view.schema.collections.get(collection)?.primaryKey ?? [];

/** Plain values are the version's; relations stay as they are, since what they would point at may not exist yet. */
export async function overlayVersion(
  run: RunContext,
  task: { readonly collection: string; readonly id: unknown; readonly version: string; readonly parsed: ParsedQuery },
  text: string,
): Promise<string> {
  const changed = await readVersion(run, task.collection, task.id, task.version);
  const item = JSON.parse(text) as Record<string, unknown>;
  for (const selection of task.parsed.query.fields) {
    if (
      selection.kind !== 'field' ||
      selection.field.fn !== null ||
      selection.children.length > 0 ||
      Object.keys(selection.scopes).length > 0
    )
      continue;
    if (selection.field.name in changed) item[selection.as] = cast(changed[selection.field.name], selection.cast);
  }
  return JSON.stringify(item);
}

function cast(value: unknown, to: 'string' | 'number' | undefined): unknown {
  if (value === null || to === undefined) return value;
  return to === 'string' ? String(value) : Number(value);
}
