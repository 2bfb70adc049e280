// Diff and apply: what it takes to make a snapshot true here, and doing it.

import { invalidPayload } from '../../core/errors/service-error.js';
import { type DiffMode, diffSnapshots, digestSnapshot, isEmptyDiff, type SnapshotDiff } from './diff-snapshots.js';
import { lossyEdits } from './lossy-edits.js';
import { type ParsedDiff, parseDiff } from './parse-diff.js';
import { asObject, asText } from './payload.js';
import { planApply } from './plan-apply.js';
import { parseSnapshot, type Snapshot, takeSnapshot } from './snapshot.js';
import type { Change } from './structure.js';
import { emptyUnit, type Plan } from './unit.js';

export interface HashedDiff {
  readonly hash: string;
  readonly diff: SnapshotDiff;
}

/** null: nothing differs. */
export function diffSnapshot(present: Snapshot, payload: unknown, mode: DiffMode): HashedDiff | null {
  const diff = diffSnapshots(present, parseSnapshot(payload), mode);
  return isEmptyDiff(diff) ? null : { hash: digestSnapshot(present), diff };
}

export interface ApplyOptions {
  /** Also when the structure is not the one the diff was made against. */
  readonly force: boolean;
  /** Also when data may be lost. */
  readonly lossy: boolean;
}

export function applyDiff(payload: unknown, options: ApplyOptions): Change<null> {
  const { hash, diff: value } = asObject(payload, 'The payload');
  const expected = asText(hash, '"hash"');
  const diff = parseDiff(value);
  const lost = lossyEdits(diff);
  if (lost.length > 0 && !options.lossy) {
    throw invalidPayload(`Data may be lost, which has to be allowed with lossy=true: ${lost.join('; ')}.`);
  }
  const plans = planApply(diff);
  return { plans: options.force || isNothing(diff) ? plans : [checkHash(expected), ...plans], answer: () => null };
}

const isNothing = ({ collections, fields, relations }: ParsedDiff): boolean => collections.length + fields.length + relations.length === 0;

const checkHash =
  (expected: string): Plan =>
  (state) => {
    if (digestSnapshot(takeSnapshot(state.schema, state.rules.definitions)) !== expected) {
      throw invalidPayload('The structure has changed since the diff was made: make a new one.');
    }
    return emptyUnit;
  };
