// Requests with an `Idempotency-Key`. `run` inserts the key and stores the answer in the transaction of the write: both are committed or
// neither, even after a crash, and of two concurrent requests the second waits for the first. `runApart` is for work that no transaction
// can hold, such as a change of structure: it inserts the key before and deletes it after a failure; a concurrent request is refused.

import type { Caller } from '../../core/access/view.js';
import type { SystemRows } from '../../core/engine/own-rows/system-rows.js';
import type { Job } from '../../core/engine/store/jobs.js';
import type { TransactionWork, WriteOptions } from '../../core/engine/work/transaction.js';
import type { AfterFlush } from '../../core/engine/work/work.js';
import type { Writer } from '../../core/engine/write/writer.js';
import { invalidPayload, serviceError } from '../../core/errors/service-error.js';
import type { RowOf } from '../../core/schema/system-definition.js';
import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Connection } from '../../core/vendor/driver.js';
import type { idempotency } from '../definitions/bookkeeping.js';
import { digestWith } from '../secrets/token.js';

export interface KeptAnswer {
  readonly status: number;
  readonly text: string | null;
}

interface Answered<T> {
  readonly answer: T | KeptAnswer;
  readonly replayed: boolean;
}

export interface Idempotency {
  /** Runs `act` in one transaction and calls its result for the answer once all statements are sent. Without a key it does only that. */
  run<T extends KeptAnswer>(
    caller: Caller,
    keyed: KeyedRequest | null,
    act: (work: TransactionWork) => Promise<AfterFlush<T>>,
    choices?: WriteOptions,
  ): Promise<Answered<T>>;
  /** For work that cannot share a transaction with its key. */
  runApart<T extends KeptAnswer>(caller: Caller, keyed: KeyedRequest | null, act: () => Promise<T>): Promise<Answered<T>>;
  /** The stored answer to this request; null if there is none. */
  recall(caller: Caller, keyed: KeyedRequest | null): Promise<KeptAnswer | null>;
  /** Deletes the answers that are older than a day. */
  readonly sweep: Job;
}

export interface KeyedRequest {
  readonly key: string;
  /** Identifies the request: a key may be used again only with an equal text. */
  readonly content: string;
}

const lifetimeMs = 86_400_000;
const hourMs = 3_600_000;
const oldest = (): string => new Date(Date.now() - lifetimeMs).toISOString();
/** A request that has held a key for longer without an answer is considered dead. */
const abandonedMs = 600_000;
const maxKeyLength = 255;

class KeyTaken extends Error {}

type Rows = SystemRows<RowOf<typeof idempotency>>;

export interface IdempotencyDeps {
  readonly writer: Pick<Writer, 'transaction'>;
  readonly rows: Rows;
  readonly connection: Connection;
  /** The key of the fingerprints. Requests may contain passwords, which a plain digest in the database would allow to guess. */
  readonly secret: string;
}

export function openIdempotency({ writer, rows, connection, secret }: IdempotencyDeps): Idempotency {
  const claimOf = (caller: Caller, keyed: KeyedRequest): Claim => ({
    name: nameOf(caller, keyed),
    fingerprint: digestWith(secret, JSON.stringify([keyed.content, rightsOf(caller)])),
  });
  /** Runs `act` unless the request was answered before, or is answered while this one runs. */
  const once = async <T extends KeptAnswer>(claim: Claim, act: () => Promise<T>): Promise<Answered<T>> => {
    const known = await recall(rows, connection, claim);
    if (known !== null) return { answer: known, replayed: true };
    try {
      return { answer: await act(), replayed: false };
    } catch (error) {
      const first = error instanceof KeyTaken ? await recall(rows, connection, claim) : null;
      if (first === null) throw error instanceof KeyTaken ? busy() : error;
      return { answer: first, replayed: true };
    }
  };
  return {
    async run(caller, keyed, act, choices = {}) {
      if (keyed === null) return { answer: (await writer.transaction(caller, act, choices))(), replayed: false };
      const claim = claimOf(caller, keyed);
      return once(claim, () => writer.transaction(caller, (work) => keep(rows, work, claim, act), choices));
    },
    async runApart(caller, keyed, act) {
      if (keyed === null) return { answer: await act(), replayed: false };
      const claim = claimOf(caller, keyed);
      return once(claim, () => keepApart(rows, connection, claim, act));
    },
    recall: async (caller, keyed) => (keyed === null ? null : recall(rows, connection, claimOf(caller, keyed))),
    sweep: {
      name: 'idempotency',
      everyMs: hourMs,
      isNeeded: async () => (await rows.readBefore(connection, ['created'], 'created', oldest(), 1)).length > 0,
      async step() {
        await rows.deleteBefore(connection, 'created', oldest());
        return false;
      },
    },
  };
}

interface Claim {
  readonly name: Name;
  readonly fingerprint: string;
}

type Name = { readonly key: string; readonly caller: string };

/** An answer is repeated only to the same rights: who may no longer write or read what it is about does not get it. */
function rightsOf({ accountability: { role, admin, policies }, view: { grants } }: Caller): unknown {
  const permissions = [...grants.byCollection.values()].flatMap((byAction) => Object.values(byAction).flat());
  const texts = permissions.map(({ fields, ...others }) => JSON.stringify([others, [...fields]]));
  return [role, admin, policies.toSorted(), texts.toSorted()];
}

/** Anybody can be the public: without the address, one stranger would get the answer to another. */
function nameOf({ accountability: { user, share, ip } }: Caller, { key }: KeyedRequest): Name {
  if (key === '' || key.length > maxKeyLength)
    throw invalidPayload(`"Idempotency-Key" has to be a text of 1 to ${maxKeyLength} characters.`);
  return { key, caller: user ?? (share === null ? `public ${ip ?? ''}` : `share ${share.id}`) };
}

/** The stored answer; null if there is none or it has expired. Throws if the key belongs to another or an unfinished request. */
async function recall(rows: Rows, connection: Connection, { name, fingerprint }: Claim): Promise<KeptAnswer | null> {
  const [row] = await rows.read(connection, ['fingerprint', 'status', 'body', 'created'], name);
  if (row === undefined) return null;
  const age = Date.now() - Date.parse(row.created);
  if (age > (row.status === null ? abandonedMs : lifetimeMs)) {
    await rows.delete(connection, name);
    return null;
  }
  if (row.fingerprint !== fingerprint)
    throw serviceError('UNPROCESSABLE_CONTENT', 'The idempotency key was used for another request, or with other rights.', {
      reason: 'idempotency key',
    });
  if (row.status === null) throw busy();
  return { status: row.status, text: row.body };
}

async function keep<T extends KeptAnswer>(
  rows: Rows,
  work: TransactionWork,
  { name, fingerprint }: Claim,
  act: (work: TransactionWork) => Promise<AfterFlush<T>>,
): Promise<T> {
  await take(rows, work.connection, { ...name, fingerprint });
  const answerOf = await act(work);
  await work.connection.flush();
  const answer = answerOf();
  await rows.update(work.connection, { status: answer.status, body: answer.text }, name);
  return answer;
}

async function keepApart<T extends KeptAnswer>(
  rows: Rows,
  connection: Connection,
  { name, fingerprint }: Claim,
  act: () => Promise<T>,
): Promise<T> {
  await take(rows, connection, { ...name, fingerprint });
  try {
    const answer = await act();
    await rows.update(connection, { status: answer.status, body: answer.text }, name);
    return answer;
  } catch (error) {
    await rows.delete(connection, name);
    throw error;
  }
}

async function take(rows: Rows, connection: Connection, row: Name & Pick<Claim, 'fingerprint'>): Promise<void> {
  try {
    await rows.insert(connection, [row]);
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'unique') throw new KeyTaken();
    throw error;
  }
}

/** The other request is not finished, or has failed between our two reads. The client may send the request again. */
const busy = () =>
  serviceError('SERVICE_UNAVAILABLE', 'Another request with this idempotency key was under way.', { service: 'idempotency' });
