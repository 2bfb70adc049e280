// The body of /batch: which operations, in which order, and whether they shall last.

import { invalidPayload } from '../../core/errors/service-error.js';

const batchMethods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
type BatchMethod = (typeof batchMethods)[number];

export interface BatchOperation {
  /** The name later operations refer to this one by. */
  readonly id: string | null;
  readonly method: BatchMethod;
  readonly path: string;
  readonly body: unknown;
}

export interface Batch {
  readonly operations: readonly BatchOperation[];
  readonly dryRun: boolean;
}

const mostOperations = 500;

type Payload = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Payload => typeof value === 'object' && value !== null && !Array.isArray(value);

export function parseBatch(body: unknown): Batch {
  const { operations, dry_run: dryRun = false } = isObject(body) ? body : {};
  if (!Array.isArray(operations)) throw invalidPayload('"operations" has to be a list.');
  if (operations.length > mostOperations) throw invalidPayload(`A batch holds at most ${mostOperations} operations.`);
  if (typeof dryRun !== 'boolean') throw invalidPayload('"dry_run" has to be true or false.');
  const parsed = operations.map(parseOperation);
  const ids = parsed.flatMap(({ id }) => (id === null ? [] : [id]));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw invalidPayload(`Two operations have the id "${twice.slice(0, 60)}".`);
  return { operations: parsed, dryRun };
}

function parseOperation(operation: unknown, index: number): BatchOperation {
  const { id = null, method, path, body, ...stray } = isObject(operation) ? operation : {};
  const [unknown] = Object.keys(stray);
  if (unknown !== undefined) throw invalidPayload(`Operation ${index}: "${unknown.slice(0, 60)}" means nothing here.`);
  const known = batchMethods.find((name) => name === method);
  if (known === undefined) throw invalidPayload(`Operation ${index}: "method" has to be one of ${batchMethods.join(', ')}.`);
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw invalidPayload(`Operation ${index}: "path" has to be a path such as "/items/books".`);
  if (id !== null && (typeof id !== 'string' || id === '' || id.includes('.')))
    throw invalidPayload(`Operation ${index}: "id" has to be a text without dots.`);
  return { id, method: known, path, body };
}
