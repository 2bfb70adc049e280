// The steps on lists of a relation: items that leave a list, and items that move into one.

import { forbidden, invalidPayload, unreachable } from '../../errors/service-error.js';
import { type ItemKey, keyText } from '../../plan/write/item-key.js';
import type { ToManyRelation, UnlinkEntry, WriteStep } from '../../plan/write/write-steps.js';
import type { ChangedRow } from '../work/run-row.js';
import { deleteRows, updateRows } from './run-update.js';
import type { WriteRun } from './write-run.js';

type Unlink = Extract<WriteStep, { kind: 'unlink' }>;
type Link = Extract<WriteStep, { kind: 'link' }>;

export async function runUnlink(run: WriteRun, step: Unlink): Promise<void> {
  const keys = step.entries.flatMap((entry) => leaving(run, step, entry));
  if (keys.length === 0) return;
  await takeOut(run, step, keys);
  for (const key of keys) run.state.list(step.list).delete(keyText(key));
}

async function takeOut(run: WriteRun, { relation, guard, after }: Unlink, keys: readonly ItemKey[]): Promise<void> {
  const { related } = relation;
  const { deselect } = relation.relation;
  switch (deselect.kind) {
    case 'delete':
      return deleteRows(run, related, keys, guard);
    case 'nullify': {
      const values = new Map(deselect.columns.map((column) => [column, null]));
      const rows = keys.map((key) => ({ key, values }));
      return updateRows(run, related, rows, guard, after);
    }
    case 'refuse':
      throw invalidPayload(
        `Items cannot leave "${relation.relation.field}": ${namesOf(relation)} of "${related.name}" cannot be null. ` +
          `Delete them, or set meta.one_deselect_action of the relation "${related.name}.${relation.relation.relatedField}" to "delete".`,
      );
    default:
      return unreachable(deselect);
  }
}

const namesOf = ({ relation }: ToManyRelation): string => relation.pairs.map(({ column }) => `"${column}"`).join(' and ');

function leaving(run: WriteRun, step: Unlink, entry: UnlinkEntry): readonly ItemKey[] {
  const { owner, relation } = step.relation;
  const parent = keyText(run.state.parentKey(owner, entry.parent, relation));
  const list = run.state.list(step.list);
  if (entry.kind === 'keep') {
    const kept = new Set(entry.items.map((item) => keyText(run.state.key(item))));
    return [...list]
      .filter(([text, item]) => item.parent !== null && keyText(item.parent) === parent && !kept.has(text))
      .map(([, item]) => item.key);
  }
  return entry.keys.flatMap((key) => {
    const item = list.get(keyText(key));
    if (item === undefined || (item.parent !== null && keyText(item.parent) !== parent)) throw forbidden();
    return item.parent === null ? [] : [item.key];
  });
}

export async function runLink(run: WriteRun, step: Link): Promise<void> {
  const { related, owner, relation } = step.relation;
  const list = run.state.list(step.list);
  const moving: ChangedRow[] = [];
  for (const row of step.rows.filter((candidate) => run.state.isActive(candidate))) {
    const key = run.state.key(row.item);
    const parent = run.state.parentKey(owner, row.parent, relation);
    const present = list.get(keyText(key))?.parent ?? null;
    if (present !== null && keyText(present) === keyText(parent)) continue;
    moving.push({ item: row.item, key, values: movedValues(step.relation, key, parent) });
    list.set(keyText(key), { key, parent });
  }
  await updateRows(run, related, moving, step.guard, step.after);
}

/** Columns of the link that are part of the item's key cannot change. */
function movedValues({ related, relation }: ToManyRelation, key: ItemKey, parent: readonly unknown[]): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [index, { column }] of relation.pairs.entries()) {
    const place = related.primaryKey.indexOf(column);
    if (place === -1) values.set(column, parent[index]);
    else if (keyText([key[place]]) !== keyText([parent[index]]))
      throw invalidPayload(`Items of "${related.name}" cannot move into "${relation.field}": "${column}" is part of their key.`);
  }
  return values;
}
