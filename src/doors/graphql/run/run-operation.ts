// Runs the root fields of an operation, side by side for a query, one after the other for a mutation, and writes the answer.

import { OperationTypeNode } from 'graphql';
import type { ServiceError } from '../../../core/errors/service-error.js';
import { shapeOf } from '../../../core/query/query-shape.js';
import type { RootField, RootTask } from '../compile/root-task.js';
import { type FieldError, toFieldError } from './field-error.js';
import type { RunContext } from './run-context.js';
import { runTask } from './run-task.js';
import { isLongList, streamList } from './stream-list.js';

type Outcome = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'failed'; readonly error: FieldError };

/** The error that clients may see. Throws instead when `repeatable` and running the whole operation again may succeed. */
export type Explain = (error: unknown, repeatable: boolean) => ServiceError;

/** The text of the answer, or its pieces where it is one long list. */
export async function runOperation(run: RunContext, explain: Explain): Promise<string | AsyncIterable<string>> {
  const { definition, fields } = run.operation;
  const [only] = fields;
  if (only !== undefined && fields.length === 1) return runOnly(run, only, explain);
  const isMutation = definition.operation === OperationTypeNode.MUTATION;
  return writeAnswer(fields, isMutation ? await runInOrder(run, explain) : await runSideBySide(run, explain));
}

/** The usual request: one root field. */
async function runOnly(run: RunContext, field: RootField, explain: Explain): Promise<string | AsyncIterable<string>> {
  try {
    if (isLongList(run, field.task)) return await streamList(run, field.key, field.task);
    return writeAnswer([field], [{ kind: 'text', text: await runTask(run, field) }]);
  } catch (error) {
    return writeAnswer([field], [{ kind: 'failed', error: toFieldError(explain(error, true), field.key, field.node) }]);
  }
}

async function runInOrder(run: RunContext, explain: Explain): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const field of run.operation.fields) {
    // The operation may run again only while none of its fields has written anything.
    const repeatable = outcomes.every(({ kind }) => kind === 'failed');
    outcomes.push(
      await settle(
        field,
        () => runTask(run, field),
        (error) => explain(error, repeatable),
      ),
    );
  }
  return outcomes;
}

/** Fields with the same question share one run. */
function runSideBySide(run: RunContext, explain: Explain): Promise<readonly Outcome[]> {
  const running = new Map<string, Promise<string>>();
  const share = (field: RootField): Promise<string> => {
    const question = questionOf(field.task);
    if (question === null) return runTask(run, field);
    const shared = running.get(question) ?? runTask(run, field);
    running.set(question, shared);
    return shared;
  };
  return Promise.all(run.operation.fields.map((field) => settle(field, async () => share(field), explain)));
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

/** A failed field is null. If its type does not allow null, all data is. */
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
