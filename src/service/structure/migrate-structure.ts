// Diff and apply: the changes that turn the present structure into that of a snapshot, and the Change that applies them.

import { invalidPayload } from '../../core/errors/service-error.js';
import { asObject, asText } from './describe/payload.js';
import { emptyChangeSet, type Planner } from './plan/change-set.js';
import { type DiffMode, diffSnapshots, digestSnapshot, isEmptyDiff, type SnapshotDiff } from './snapshot/diff-snapshots.js';
import type { NameOf } from './snapshot/foreign-snapshot.js';
import { lossyEdits, narrowerFields } from './snapshot/lossy-edits.js';
import { type ParsedDiff, parseDiff } from './snapshot/parse-diff.js';
import { planApply } from './snapshot/plan-apply.js';
import { partInQuestion } from './snapshot/select-collections.js';
import { parseSnapshot, type Snapshot, takeSnapshot } from './snapshot/snapshot.js';
import type { Change } from './structure.js';

export interface HashedDiff {
  readonly hash: string;
  readonly diff: SnapshotDiff;
  /** What the snapshot contains and this service does not know; absent if there is nothing. */
  readonly ignored?: readonly string[];
}

/** null if nothing differs. */
/** `nameOf`: what this database calls the system collections. */
export function diffSnapshot(present: Snapshot, payload: unknown, mode: DiffMode, nameOf: NameOf): HashedDiff | null {
  const wanted = parseSnapshot(payload, nameOf);
  const diff = diffSnapshots(wanted.partial ? partInQuestion(present, wanted) : present, wanted, mode);
  if (isEmptyDiff(diff)) return null;
  return { hash: digestSnapshot(present), diff, ...(wanted.ignored.length === 0 ? {} : { ignored: wanted.ignored }) };
}

export interface ApplyOptions {
  /** Apply the diff even if the structure has changed since the diff was made. */
  readonly force: boolean;
  /** Apply edits that may lose data; null: only what the diff deletes, to which its hash is the consent. */
  readonly lossy: boolean | null;
}

export function applyDiff(payload: unknown, options: ApplyOptions): Change<void> {
  const { hash, diff: value } = asObject(payload, 'The payload');
  const expected = asText(hash, '"hash"');
  const diff = parseDiff(value);
  const lost = options.lossy === null ? narrowerFields(diff) : lossyEdits(diff);
  if (lost.length > 0 && options.lossy !== true) {
    throw invalidPayload(`Data may be lost, which has to be allowed with lossy=true: ${lost.join('; ')}.`);
  }
  const planners = planApply(diff);
  return { planners: options.force || isNothing(diff) ? planners : [checkHash(expected), ...planners], answer: () => undefined };
}

const isNothing = ({ collections, fields, relations }: ParsedDiff): boolean => collections.length + fields.length + relations.length === 0;

/** Plans nothing; throws if the structure is not the one the diff was made against. */
const checkHash =
  (expected: string): Planner =>
  (state) => {
    if (digestSnapshot(takeSnapshot(state.schema, state.system.definitions)) !== expected) {
      throw invalidPayload('The structure has changed since the diff was made: make a new one.');
    }
    return emptyChangeSet;
  };
