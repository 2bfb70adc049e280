// The one way to run an operation, for every door: check who calls, read the input, run, and record the answer under the caller's
// Idempotency-Key where the operation takes one.

import type { Caller } from '../../core/access/view.js';
import type { TransactionWork, WriteOptions } from '../../core/engine/work/transaction.js';
import type { AfterFlush, Work } from '../../core/engine/work/work.js';
import type { ClientFacts } from '../auth/auth-context.js';
import type { KeptAnswer, KeyedRequest } from '../utilities/idempotency.js';
import { JsonText } from './carried-values.js';
import { checkNamed, checkOpen } from './open-rule.js';
import { type Call, type CallTransactionOptions, type Operation, Outcome, type OutcomeFacts } from './operation.js';
import type { OperationDeps } from './operation-deps.js';
import { inPayload, type Place } from './shape.js';

/** What a door knows of a request, as plain data. The client's address, browser and origin are in the caller's accountability. */
export interface OperationRequest {
  /** The caller, and a connection outside of any transaction. */
  readonly work: Work;
  /** The address by which the client reached the service. */
  readonly url: string;
  readonly idempotencyKey: string | null;
  readonly signal: Call['signal'];
  readonly cookie: Call['cookie'];
}

type Values = Readonly<Record<string, unknown>>;

/** Where the input comes from. `read` is called when the caller has been found to be allowed. */
export interface InputSource {
  read(): Values | Promise<Values>;
  placeOf(member: string): Place;
}

export const givenInput = (values: Values): InputSource => ({ read: () => values, placeOf: inPayload });

export interface Answered {
  /** Undefined when the output is `nothing`; JsonText where the database wrote it. */
  readonly value: unknown;
  readonly facts: OutcomeFacts;
  /** True when this is the first answer to the same Idempotency-Key again. */
  readonly replayed: boolean;
}

export async function runOperation(
  deps: OperationDeps,
  operation: Operation,
  request: OperationRequest,
  source: InputSource,
): Promise<Answered> {
  const { caller } = request.work;
  checkOpen(operation.open, caller);
  const client = clientOf(caller);
  await operation.admit?.(deps, client);
  const values = await source.read();
  const prepared = operation.prepare(values, source.placeOf);
  checkNamed(operation.open, caller, prepared.input);
  const call = new OperationCall(deps, operation, request, client, values);
  const result = await call.once(async () => prepared.run(call));
  const { value, facts } = result instanceof Outcome ? result : { value: result, facts: {} };
  return { value, facts, replayed: call.replayed };
}

const clientOf = ({ accountability: { ip, userAgent, origin } }: Caller): ClientFacts => ({ ip: ip ?? '', userAgent, origin });

/** An answer with the value it was written from, so that only a repetition has to parse it. */
interface ValuedAnswer extends KeptAnswer {
  readonly value: unknown;
}

class OperationCall implements Call {
  readonly deps: OperationDeps;
  readonly caller: Caller;
  readonly work: Work;
  readonly client: ClientFacts;
  readonly url: string;
  readonly signal: Call['signal'];
  readonly cookie: Call['cookie'];
  replayed = false;
  readonly #operation: Operation;
  readonly #key: string | null;
  readonly #values: Values;

  constructor(
    deps: OperationDeps,
    operation: Operation,
    { work, url, idempotencyKey, signal, cookie }: OperationRequest,
    client: ClientFacts,
    values: Values,
  ) {
    this.deps = deps;
    this.caller = work.caller;
    this.work = work;
    this.client = client;
    this.url = url;
    this.signal = signal;
    this.cookie = cookie;
    this.#operation = operation;
    this.#key = idempotencyKey;
    this.#values = values;
  }

  /** The whole operation, once per key where its transaction cannot hold the key. */
  async once(run: () => Promise<unknown>): Promise<unknown> {
    const keyed = this.#operation.once === 'apart' ? this.#keyed() : null;
    if (keyed === null) return run();
    const { answer, replayed } = await this.deps.idempotency.runApart(this.caller, keyed, async () => valuedAnswer(await run()));
    return this.#take(answer, replayed);
  }

  readonly recall: Call['recall'] = async () => {
    const known = await this.deps.idempotency.recall(this.caller, this.#keyed());
    if (known === null) return null;
    this.replayed = true;
    return new JsonText(known.text ?? 'null');
  };

  readonly transaction: Call['transaction'] = async <T>(
    act: (work: TransactionWork) => Promise<T>,
    { asked, caller = this.caller, ...choices }: CallTransactionOptions = {},
  ): Promise<T> => {
    const keyed = this.#operation.once === 'in-transaction' ? this.#keyed(asked) : null;
    const timed = this.#timed(choices);
    if (keyed === null) return this.deps.writer.transaction(caller, act, timed);
    const kept = async (work: TransactionWork): Promise<AfterFlush<ValuedAnswer>> => {
      const value = await act(work);
      return () => valuedAnswer(value);
    };
    const { answer, replayed } = await this.deps.idempotency.run(caller, keyed, kept, timed);
    return this.#take(answer, replayed) as T;
  };

  readonly textTransaction: Call['textTransaction'] = async (act, { asked, caller = this.caller, ...choices } = {}) => {
    const keyed = this.#operation.once === 'in-transaction' ? this.#keyed(asked) : null;
    const kept = async (work: TransactionWork): Promise<AfterFlush<KeptAnswer>> => {
      const text = await act(work);
      return () => ({ status: 200, text: text() });
    };
    const { answer, replayed } = await this.deps.idempotency.run(caller, keyed, kept, this.#timed(choices));
    this.replayed = replayed;
    return new JsonText(answer.text ?? 'null');
  };

  /** The stages of the transaction are stages of the request, and its revisions those of the request. */
  #timed(choices: WriteOptions): WriteOptions {
    const { clock = null, onRevisions = null } = this.work;
    return clock === null && onRevisions === null ? choices : { ...choices, clock, onRevisions };
  }

  #take(answer: ValuedAnswer | KeptAnswer, replayed: boolean): unknown {
    this.replayed = replayed;
    if ('value' in answer) return answer.value;
    return answer.text === null ? undefined : JSON.parse(answer.text);
  }

  /** The same operation with the same input is the same request, whichever door it came by. */
  #keyed(asked: unknown = this.#values): KeyedRequest | null {
    return this.#key === null ? null : { key: this.#key, content: JSON.stringify([this.#operation.id, asked]) };
  }
}

function valuedAnswer(value: unknown): ValuedAnswer {
  const plain = value instanceof Outcome ? value.value : value;
  const text = plain instanceof JsonText ? plain.text : plain === undefined ? null : JSON.stringify(plain);
  return { status: 200, text, value };
}
