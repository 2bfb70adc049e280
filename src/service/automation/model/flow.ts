// A flow as it runs: its row and the rows of its operations, read once, so that a run keeps the version it began with.

import type { RowOf } from '../../../core/schema/system-definition.js';
import { isPlainObject, type PlainObject } from '../../../core/util/plain-object.js';
import type { flows, operations } from '../../definitions/flows.js';

export const triggers = ['event', 'webhook', 'schedule', 'operation', 'manual'] as const;
export const statuses = ['active', 'inactive'] as const;
/** What a run leaves behind: activity and revision, activity, nothing. */
export const accountabilities = ['all', 'activity'] as const;

export type FlowRow = Pick<
  RowOf<typeof flows>,
  'id' | 'name' | 'icon' | 'color' | 'status' | 'trigger' | 'accountability' | 'options' | 'operation' | 'user_created'
>;
export type OperationRow = Pick<RowOf<typeof operations>, 'id' | 'key' | 'type' | 'options' | 'resolve' | 'reject' | 'flow'>;

export const flowColumns = [
  'id',
  'name',
  'icon',
  'color',
  'status',
  'trigger',
  'accountability',
  'options',
  'operation',
  'user_created',
] as const;
export const operationColumns = ['id', 'key', 'type', 'options', 'resolve', 'reject', 'flow'] as const;

export interface Step {
  readonly id: string;
  readonly key: string;
  readonly type: string;
  readonly options: PlainObject;
  /** The next operation on success and on failure. */
  readonly resolve: string | null;
  readonly reject: string | null;
}

export interface Flow {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly color: string | null;
  readonly trigger: string | null;
  readonly accountability: string | null;
  readonly options: PlainObject;
  /** The first operation. */
  readonly first: string | null;
  readonly steps: ReadonlyMap<string, Step>;
}

export function readFlow(row: FlowRow, operationRows: readonly OperationRow[]): Flow {
  return {
    id: row.id,
    name: row.name,
    icon: row.icon,
    color: row.color,
    trigger: row.trigger,
    accountability: row.accountability,
    options: optionsOf(row.options),
    first: row.operation,
    steps: new Map(operationRows.filter(({ flow }) => flow === row.id).map((operation) => [operation.id, readStep(operation)])),
  };
}

const readStep = ({ id, key, type, options, resolve, reject }: OperationRow): Step => ({
  id,
  key,
  type,
  options: optionsOf(options),
  resolve,
  reject,
});

const optionsOf = (options: unknown): PlainObject => (isPlainObject(options) ? options : {});
