// The structure as a document, and what differs from another one. A diff is carried out by a change (changes.ts).

import { diffSnapshot, type HashedDiff } from '../../structure/migrate-structure.js';
import { diffModes } from '../../structure/snapshot/diff-snapshots.js';
import { snapshotDocument } from '../../structure/snapshot/select-collections.js';
import { type Operation, operation } from '../operation.js';
import { answer, choice, described, document, list, optional, text, withDefault } from '../shape.js';

const tag = 'structure';
const names = list(text());

export const takeSnapshot = operation({
  id: 'snapshot',
  tag,
  summary: 'The whole structure, to keep or to carry elsewhere',
  input: {
    include: described(optional(names), 'Only these collections.'),
    exclude: described(optional(names), 'All collections but these.'),
  },
  output: document(),
  open: ['administrators'],
  once: 'never',
  run: ({ deps }, { include, exclude }) => ({ ...deps.origin, ...snapshotDocument(deps.structure.snapshot(), include, exclude) }),
});

export const compareSnapshot = operation({
  id: 'diff',
  tag,
  summary: 'What it takes to make a snapshot true here; nothing, if nothing differs',
  input: {
    snapshot: document(),
    mode: described(withDefault(choice(diffModes, 'structure_diff_mode'), 'mirror' as const), '`merge` deletes nothing.'),
  },
  output: optional(answer<HashedDiff>({ hash: text(), diff: document(), ignored: optional(list(text())) }, null)),
  open: ['administrators'],
  once: 'never',
  run: ({ deps, caller }, { snapshot, mode }) => diffSnapshot(deps.structure.snapshot(), snapshot, mode, caller.view.schema.nameOf),
});

export const structureDocuments: readonly Operation[] = [takeSnapshot, compareSnapshot];
