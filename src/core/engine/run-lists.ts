// Steps on the lists of a relation: what leaves a list, and what moves into one.

import { forbidden } from '../errors/service-error.js';
import { type ItemKey, keyText } from '../plan/item-key.js';
import type { UnlinkEntry, WriteStep } from '../plan/write-steps.js';
import type { ChangedRow } from './run-row.js';
import { deleteRows, updateRows } from './run-update.js';
import type { WriteRun } from './write-run.js';

type Unlink = Extract<WriteStep, { kind: 'unlink' }>;
type Link = Extract<WriteStep, { kind: 'link' }>;

export async function runUnlink(run: WriteRun, step: Unlink): Promise<void> {
  const { related, relation } = step.relation;
  const keys = step.entries.flatMap((entry) => leaving(run, step, entry));
  if (relation.deselect === 'delete') await deleteRows(run, related, keys, step.guard);
  else {
    const values = new Map([[relation.relatedField, null]]);
    await updateRows(
      run,
      related,
      keys.map((key) => ({ key, values })),
      step.guard,
      step.after,
    );
  }
  for (const key of keys) run.state.list(step.list).delete(keyText(key));
}

function leaving(run: WriteRun, step: Unlink, entry: UnlinkEntry): readonly ItemKey[] {
  const { owner, relation } = step.relation;
  const parent = String(run.state.fieldOf(owner, entry.parent, relation.key));
  const list = run.state.list(step.list);
  if (entry.kind === 'keep') {
    const kept = new Set(entry.items.map((item) => keyText(run.state.key(item))));
    return [...list]
      .filter(([text, item]) => item.parent !== null && String(item.parent) === parent && !kept.has(text))
      .map(([, item]) => item.key);
  }
  return entry.keys.flatMap((key) => {
    const item = list.get(keyText(key));
    if (item === undefined || (item.parent !== null && String(item.parent) !== parent)) throw forbidden();
    return item.parent === null ? [] : [item.key];
  });
}

export async function runLink(run: WriteRun, step: Link): Promise<void> {
  const { related, owner, relation } = step.relation;
  const list = run.state.list(step.list);
  const moving: ChangedRow[] = [];
  for (const row of step.rows.filter((candidate) => run.state.isActive(candidate))) {
    const key = run.state.key(row.item);
    const parent = run.state.fieldOf(owner, row.parent, relation.key);
    const present = list.get(keyText(key))?.parent ?? null;
    if (present !== null && String(present) === String(parent)) continue;
    moving.push({ item: row.item, key, values: new Map([[relation.relatedField, parent]]) });
    list.set(keyText(key), { key, parent });
  }
  await updateRows(run, related, moving, step.guard, step.after);
}
