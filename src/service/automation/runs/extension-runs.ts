// Runs that call an extension instead of a flow: stored with the write that they follow, carried out after its commit by any process that has the
// extension, at least once.

import type { Caller } from '../../../core/access/view.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { WriteOrigin } from '../../../core/engine/work/work.js';
import type { PendingText } from '../../../core/sql/pending-key.js';
import { failureOf, unforeseen } from '../chain/failure.js';
import { deepest, depthOf } from '../rights/scope.js';
import type { DueRun, RunQueue } from './run-queue.js';

export interface ExtensionRun {
  readonly extension: string;
  readonly run: Pick<DueRun, 'id' | 'attempt' | 'trigger'>;
  readonly caller: Caller;
  readonly origin: WriteOrigin;
}

/** Rejects with what went wrong. */
export type CallExtension = (asked: ExtensionRun) => Promise<void>;

const noFlow = '00000000-0000-0000-0000-000000000000';

export class ExtensionRuns {
  readonly #queue: () => Pick<RunQueue, 'enqueue' | 'wakeAfter'>;
  readonly #calls = new Map<string, CallExtension>();

  constructor(queue: () => Pick<RunQueue, 'enqueue' | 'wakeAfter'>) {
    this.#queue = queue;
  }

  get areFollowed(): boolean {
    return this.#calls.size > 0;
  }

  /** `call` carries out the runs of this extension in this process. */
  follow(extension: string, call: CallExtension): void {
    this.#calls.set(extension, call);
  }

  /** Queues runs with the write that they follow; each trigger is a JSON text. */
  add(extension: string, work: TransactionWork, triggers: readonly (string | PendingText)[]): void {
    if (work.origin?.isRehearsal === true || triggers.length === 0) return;
    const { user, ip, accessKey } = work.caller.accountability;
    const depth = depthOf({ origin: work.origin ?? null }) + 1;
    const origin = { depth, trail: work.origin?.trail ?? [], isSilent: false };
    const common = { flow: noFlow, extension, user, ip, accessKey: accessKey?.id ?? null, origin, isLoop: depth > deepest };
    this.#queue().enqueue(
      work.connection,
      triggers.map((trigger) => ({ ...common, trigger })),
    );
    this.#queue().wakeAfter(work);
  }

  /** The failure, in the form of runs; null: there is none. */
  async perform(asked: ExtensionRun): Promise<unknown> {
    const call = this.#calls.get(asked.extension);
    if (call === undefined)
      return { code: 'SERVICE_UNAVAILABLE', status: 503, message: `The extension "${asked.extension}" is not loaded here.` };
    try {
      await call(asked);
      return null;
    } catch (error) {
      return failureOf(error) ?? unforeseen;
    }
  }
}
