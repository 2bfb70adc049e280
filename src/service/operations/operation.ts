// An operation of the service: what it takes and answers, who may call it, and what it does, in terms of no protocol. Doors are tables
// over operations; `runOperation` is the only way to run one.

import type { Caller } from '../../core/access/view.js';
import type { TransactionWork, WriteOptions } from '../../core/engine/work/transaction.js';
import type { AfterFlush, Work } from '../../core/engine/work/work.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import type { ClientFacts } from '../auth/auth-context.js';
import type { JsonText } from './carried-values.js';
import type { OpenRule } from './open-rule.js';
import type { OperationDeps } from './operation-deps.js';
import { type Members, type ObjectOf, type Place, readMembers, type Shape } from './shape.js';

/**
 * Whether an Idempotency-Key counts. `in-transaction`: the key is recorded in the transaction of `call.transaction`, so that both are
 * stored or neither is. `apart`: for what no transaction can hold; the key is taken before and given back when the operation fails.
 * `never`: for reads, and for what hands out or spends a secret, whose answer must not be stored.
 */
type Once = 'never' | 'in-transaction' | 'apart';

export interface CallTransactionOptions extends WriteOptions {
  /** Identifies the request under its key, where the input cannot: the digest of a file, for example. */
  readonly asked?: unknown;
  /** The author of the writes where hooks have to recognize it: a copy of the caller. */
  readonly caller?: Caller;
}

/** What an operation knows besides its input. */
export interface Call {
  readonly deps: OperationDeps;
  readonly caller: Caller;
  /** Outside of any transaction. */
  readonly work: Work;
  /** Where the request comes from. */
  readonly client: ClientFacts;
  /** The address by which the client reached the service. */
  readonly url: string;
  /** Aborts when the client disconnects. */
  readonly signal: () => StopSignal;
  /** A cookie of the request; null without it. FORBIDDEN for one that another site made the browser send. */
  readonly cookie: (name: string) => string | null;
  /** The first answer under this Idempotency-Key, for work outside of the transaction that must not begin again; null: there is none. */
  readonly recall: () => Promise<JsonText | null>;
  /** Runs `act` in one transaction. Under an Idempotency-Key a repetition gets the first value again, and `act` does not run. */
  readonly transaction: <T>(act: (work: TransactionWork) => Promise<T>, options?: CallTransactionOptions) => Promise<T>;
  /** The same for JSON text, which is asked for when the transaction has sent all its statements. */
  readonly textTransaction: (
    act: (work: TransactionWork) => Promise<AfterFlush<string>>,
    options?: CallTransactionOptions,
  ) => Promise<JsonText>;
}

/** Kept at the client and sent back with its requests; `maxAgeMs` 0 removes it. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeMs: number;
  /** Restricted to this host and sent with navigations from other sites, whatever the cookie settings say. */
  readonly hostOnly?: boolean;
  /** Sent over HTTPS only, even if the request came without it. */
  readonly secure?: boolean;
}

/** What an operation answers besides its value; a door translates what its protocol can express. */
export interface OutcomeFacts {
  readonly cookies?: readonly Cookie[];
  /** The address to send a browser to: a redirect over HTTP, for routes that answer with one. */
  readonly location?: string;
  /** The type of a content, where it is another than the route states. */
  readonly contentType?: string;
  /** The service cannot do its work at the moment: 503 over HTTP. */
  readonly unavailable?: boolean;
  /** The entity tag of the item that is answered, with its quotes. */
  readonly etag?: string | null;
}

export class Outcome<T> {
  readonly value: T;
  readonly facts: OutcomeFacts;

  constructor(value: T, facts: OutcomeFacts) {
    this.value = value;
    this.facts = facts;
  }
}

/** JSON text is taken for a value of the output's shape. */
type Result<T> = T | JsonText | Outcome<T | JsonText>;

interface OperationFacts {
  /** Unique: the operationId of OpenAPI, and the name embedders call it by. */
  readonly id: string;
  /** The group it is listed under. */
  readonly tag: string;
  readonly summary: string;
  readonly input: Members;
  readonly output: Shape<unknown>;
  /** All of the rules have to hold. */
  readonly open: readonly OpenRule[];
  readonly once: Once;
  /** Its answers and errors may contain secrets: over HTTP, caches must not store them. */
  readonly secret?: boolean;
  /** Works by redirects and cookies of a browser, so only HTTP offers it. */
  readonly browser?: boolean;
  /** For a tool that speaks REST. */
  readonly restOnly?: boolean;
  /** Checks limits and settings before the input is read; for checks that need more than the caller. */
  readonly admit?: (deps: OperationDeps, client: ClientFacts) => Promise<void>;
}

interface Definition<M extends Members, T> extends OperationFacts {
  readonly input: M;
  readonly output: Shape<T>;
  run(call: Call, input: ObjectOf<M>): Result<T> | Promise<Result<T>>;
}

type Values = Readonly<Record<string, unknown>>;

/** An operation whose input has been read. */
interface PreparedOperation {
  readonly input: Values;
  run(call: Call): unknown;
}

export interface Operation extends OperationFacts {
  /** Reads the input; throws INVALID_PAYLOAD or INVALID_QUERY naming what is wrong with it. */
  prepare(values: Values, placeOf: (member: string) => Place): PreparedOperation;
}

export const operation = <M extends Members, T>({ run, ...facts }: Definition<M, T>): Operation => ({
  ...facts,
  prepare(values, placeOf) {
    const input = readMembers(facts.input, values, placeOf);
    return { input, run: (call) => run(call, input) };
  },
});
