// Several operations on items in one transaction.

import { invalidPayload } from '../../../core/errors/service-error.js';
import { operation } from '../operation.js';
import { boolean, integer, json, list, object, withDefault } from '../shape.js';
import { type BatchStep, batchStep } from './batch-step.js';
import { runBatch } from './run-batch.js';

export const batch = operation({
  id: 'batch',
  tag: 'utilities',
  summary: 'Several operations as one: all of them or none',
  input: { operations: list(batchStep, { max: 500, entry: 'Operation' }), dry_run: withDefault(boolean, false) },
  output: list(object({ status: integer(100, 599), body: json })),
  open: ['granted'],
  once: 'in-transaction',
  run: ({ deps, textTransaction }, { operations, dry_run: dryRun }) => {
    refuseTwice(operations);
    return textTransaction(
      async (work) => {
        const text = await runBatch(deps, work, operations);
        return () => text;
      },
      { dryRun },
    );
  },
});

function refuseTwice(steps: readonly BatchStep[]): void {
  const ids = steps.flatMap(({ id }) => (id === null ? [] : [id]));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw invalidPayload(`Two operations have the id "${twice.slice(0, 60)}".`);
}
