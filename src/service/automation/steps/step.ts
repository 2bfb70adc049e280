// What an operation of a flow is made of: how its options are read, and what it does with them.

import type { Caller } from '../../../core/access/view.js';
import type { Reader } from '../../../core/engine/read/reader.js';
import type { WriteOrigin } from '../../../core/engine/work/work.js';
import type { Writer } from '../../../core/engine/write/writer.js';
import type { QueryLimits } from '../../../core/query/query.js';
import type { PlainObject } from '../../../core/util/plain-object.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { Mailer } from '../../mail/mailer.js';
import type { GuardOptions } from '../../outbound/send-guarded.js';
import type { Flow, Step } from '../model/flow.js';
import type { RightsDeps } from '../rights/caller-for.js';
import type { RunScope } from '../rights/scope.js';
import type { ScriptPool } from '../script/script-pool.js';

export interface StepDeps extends RightsDeps {
  readonly reader: Pick<Reader, 'items' | 'item' | 'keys'>;
  readonly writer: Pick<Writer, 'transaction' | 'create' | 'update' | 'updateBatch' | 'delete'>;
  readonly connection: Connection;
  readonly limits: QueryLimits;
  readonly outgoing: GuardOptions;
  readonly mailer: Mailer;
  readonly scripts: Pick<ScriptPool, 'run'>;
  readonly log: (flow: string, message: string) => void;
  readonly report: (error: unknown) => void;
  /** Runs another flow, of the trigger `operation`, and resolves to what it returns. */
  readonly startFlow: (id: string, payload: unknown, scope: RunScope) => Promise<unknown>;
}

/** One operation at work. */
export interface StepCall {
  readonly deps: StepDeps;
  readonly flow: Flow;
  readonly step: Step;
  /** With the values of the run in them. */
  readonly options: PlainObject;
  /** The data of the run: what an operation leaves is for those behind it. */
  readonly chain: PlainObject;
  readonly scope: RunScope;
  /** With the rights that `permissions` of the operation states. */
  readonly caller: () => Promise<Caller>;
  /** How long it may take; null: as long as it takes. */
  readonly leftMs: number | null;
  /** What the writes of this operation follow from. */
  readonly origin: WriteOrigin;
}

export interface StepType {
  /** Options that hold JSON, or a text of JSON. */
  readonly documents: readonly string[];
  /** Options whose templates stay as they are. */
  readonly raw: readonly string[];
  /** Whether it may run while a write waits: it does not reach outside of the database, and does not wait. */
  readonly whileWriting: boolean;
  readonly run: (call: StepCall) => Promise<unknown>;
}

export const stepType = (run: StepType['run'], facts: Partial<Omit<StepType, 'run'>> = {}): StepType => ({
  documents: [],
  raw: [],
  whileWriting: true,
  ...facts,
  run,
});
