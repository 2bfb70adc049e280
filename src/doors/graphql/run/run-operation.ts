// Runs the root fields of an operation, side by side for a query, one after the other for a mutation, and puts the answer together.

import { OperationTypeNode } from 'graphql';
import type { ServiceError } from '../../../core/errors/service-error.js';
import { shapeOf } from '../../../core/query/query-shape.js';
import type { RootField, RootTask } from '../compile/root-field.js';
import { type FieldError, toFieldError } from './field-error.js';
import type { RunContext } from './run-context.js';
import { runTask } from './run-task.js';
import { isLongList, streamList } from './stream-list.js';

type Outcome = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'failed'; readonly error: FieldError };

/** Whatever was thrown as an error clients may see; throws what another try of the whole operation may mend, where it is repeatable. */
export type Explain = (error: unknown, repeatable: boolean) => ServiceError;

export async function runOperation(
  run: RunContext,
  fields: readonly RootField[],
  explain: Explain,
): Promise<string | AsyncIterable<string>> {
  const [only, ...more] = fields;
  if (only !== undefined && more.length === 0) return runOnly(run, only, explain);
  const outcomes =
    run.operation.operation === OperationTypeNode.MUTATION ? await inOrder(run, fields, explain) : await sideBySide(run, fields, explain);
  return writeAnswer(fields, outcomes);
}

/** The usual request: one root field. */
async function runOnly(run: RunContext, field: RootField, explain: Explain): Promise<string | AsyncIterable<string>> {
  try {
    const task = field.compile();
    if (isLongList(run, task)) return await streamList(run, field.key, task);
    return writeAnswer([field], [{ kind: 'text', text: await runTask(run, field, task) }]);
  } catch (error) {
    return writeAnswer([field], [{ kind: 'failed', error: toFieldError(explain(error, true), field.key, field.node) }]);
  }
}

async function inOrder(run: RunContext, fields: readonly RootField[], explain: Explain): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const field of fields) {
    // What is written is written: only while nothing is may everything be done again.
    const untouched = outcomes.every(({ kind }) => kind === 'failed');
    outcomes.push(
      await settle(
        field,
        () => runTask(run, field, field.compile()),
        (error) => explain(error, untouched),
      ),
    );
  }
  return outcomes;
}

/** Fields that ask the same thing are asked once. */
function sideBySide(run: RunContext, fields: readonly RootField[], explain: Explain): Promise<readonly Outcome[]> {
  const running = new Map<string, Promise<string>>();
  const share = (field: RootField): Promise<string> => {
    const task = field.compile();
    const question = questionOf(task);
    if (question === null) return runTask(run, field, task);
    const shared = running.get(question) ?? runTask(run, field, task);
    running.set(question, shared);
    return shared;
  };
  return Promise.all(fields.map((field) => settle(field, async () => share(field), explain)));
}

/** Equal texts mean equal answers; null: never shared. */
function questionOf(task: RootTask): string | null {
  switch (task.kind) {
    case 'items':
    case 'singleton':
    case 'item':
    case 'aggregated': {
      const { query, literals } = task.parsed;
      const id = task.kind === 'item' ? task.id : null;
      const version = 'version' in task ? task.version : null;
      const shape = task.kind === 'aggregated' ? task.shape : null;
      return JSON.stringify([task.kind, task.collection, shapeOf(query), literals, id, version, shape]);
    }
    default:
      return null;
  }
}

async function settle(field: RootField, work: () => Promise<string>, explain: Explain): Promise<Outcome> {
  try {
    return { kind: 'text', text: await work() };
  } catch (error) {
    return { kind: 'failed', error: toFieldError(explain(error, true), field.key, field.node) };
  }
}

/** A failed field is null; where it may not be, everything is. */
function writeAnswer(fields: readonly RootField[], outcomes: readonly Outcome[]): string {
  const errors = outcomes.flatMap((outcome) => (outcome.kind === 'failed' ? [outcome.error] : []));
  if (errors.length === 0) return `{"data":${writeData(fields, outcomes)}}`;
  const isLost = fields.some((field, index) => field.isNonNull && outcomes[index]?.kind === 'failed');
  return `{"errors":${JSON.stringify(errors)},"data":${isLost ? 'null' : writeData(fields, outcomes)}}`;
}

function writeData(fields: readonly RootField[], outcomes: readonly Outcome[]): string {
  const pairs = fields.map(({ key }, index) => {
    const outcome = outcomes[index];
    return `${JSON.stringify(key)}:${outcome?.kind === 'text' ? outcome.text : 'null'}`;
  });
  return `{${pairs.join(',')}}`;
}
