// Writes with an `Idempotency-Key`. The key is taken in the transaction of the write and its answer stored there: both are there or
// neither is, also after a crash, and of two at once the second waits for the first. What no transaction can hold, such as a change of
// structure, takes the key before and gives it back when it fails; a second one is sent away meanwhile.

import type { Caller } from '../../core/access/view.js';
import type { Pending } from '../../core/engine/gathering-connection.js';
import type { SystemRows } from '../../core/engine/system-rows.js';
import type { TransactionChoices, TransactionWork } from '../../core/engine/transaction.js';
import type { Writer } from '../../core/engine/writer.js';
import { invalidPayload, serviceError } from '../../core/errors/service-error.js';
import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Connection } from '../../core/vendor/driver.js';
import { digestWith } from '../secrets/token-digest.js';

export interface KeptAnswer {
  readonly status: number;
  readonly text: string | null;
}

interface Answered<T> {
  readonly answer: T | KeptAnswer;
  readonly replayed: boolean;
}

export interface Idempotency {
  /** One transaction for `act`, whose answer is asked for when everything was sent; without a key nothing else happens. */
  run<T extends KeptAnswer>(
    caller: Caller,
    keyed: KeyedRequest | null,
    act: (work: TransactionWork) => Promise<Pending<T>>,
    choices?: TransactionChoices,
  ): Promise<Answered<T>>;
  /** For what cannot be done in one transaction with its key. */
  runApart<T extends KeptAnswer>(caller: Caller, keyed: KeyedRequest | null, act: () => Promise<T>): Promise<Answered<T>>;
  /** The first answer to this request; null when there is none. */
  recall(caller: Caller, keyed: KeyedRequest | null): Promise<KeptAnswer | null>;
  /** Forgets answers past their day. */
  sweep(): Promise<void>;
}

export interface KeyedRequest {
  readonly key: string;
  /** What was asked: equal texts are the same request. */
  readonly content: string;
}

const lifetimeMs = 86_400_000;
/** Whoever took a key longer ago than this and gave no answer is not there any more. */
const abandonedMs = 600_000;
const longestKey = 255;

class KeyTaken extends Error {}

export interface IdempotencyContext {
  readonly writer: Pick<Writer, 'transaction'>;
  readonly rows: SystemRows;
  readonly connection: Connection;
  /** For the fingerprints: requests hold passwords, and nobody with a copy of the database shall try guesses on them. */
  readonly secret: string;
}

export function openIdempotency({ writer, rows, connection, secret }: IdempotencyContext): Idempotency {
  const claimOf = (caller: Caller, keyed: KeyedRequest): Claim => ({
    name: nameOf(caller, keyed),
    fingerprint: digestWith(secret, keyed.content),
  });
  /** `act` under the claim, unless it was answered before or is while we try. */
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
    async sweep() {
      await rows.deleteBefore(connection, 'created', new Date(Date.now() - lifetimeMs).toISOString());
    },
  };
}

interface Claim {
  readonly name: Name;
  readonly fingerprint: string;
}

type Name = { readonly key: string; readonly caller: string };

function nameOf({ accountability: { user, share } }: Caller, { key }: KeyedRequest): Name {
  if (key === '' || key.length > longestKey) throw invalidPayload(`"Idempotency-Key" has to be a text of 1 to ${longestKey} characters.`);
  return { key, caller: user ?? (share === null ? 'public' : `share ${share.id}`) };
}

/** The first answer; null when there is none, or its day is over. */
async function recall(rows: SystemRows, connection: Connection, { name, fingerprint }: Claim): Promise<KeptAnswer | null> {
  const [row] = await rows.read(connection, ['fingerprint', 'status', 'body', 'created'], name);
  if (row === undefined) return null;
  const age = Date.now() - Date.parse(String(row['created']));
  if (age > (row['status'] === null ? abandonedMs : lifetimeMs)) {
    await rows.delete(connection, name);
    return null;
  }
  if (row['fingerprint'] !== fingerprint)
    throw serviceError('UNPROCESSABLE_CONTENT', 'The idempotency key was used for another request.', { reason: 'idempotency key' });
  if (row['status'] === null) throw busy();
  return { status: Number(row['status']), text: row['body'] === null ? null : String(row['body']) };
}

async function keep<T extends KeptAnswer>(
  rows: SystemRows,
  work: TransactionWork,
  { name, fingerprint }: Claim,
  act: (work: TransactionWork) => Promise<Pending<T>>,
): Promise<T> {
  await take(rows, work.connection, { ...name, fingerprint });
  const told = await act(work);
  await work.connection.flush();
  const answer = told();
  await rows.update(work.connection, { status: answer.status, body: answer.text }, name);
  return answer;
}

async function keepApart<T extends KeptAnswer>(
  rows: SystemRows,
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

async function take(rows: SystemRows, connection: Connection, row: Readonly<Record<string, unknown>>): Promise<void> {
  try {
    await rows.insert(connection, [row]);
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'unique') throw new KeyTaken();
    throw error;
  }
}

/** Whoever has the key is not done, or gave it back between our two looks: the same request may be sent again. */
const busy = () =>
  serviceError('SERVICE_UNAVAILABLE', 'Another request with this idempotency key was under way.', { service: 'idempotency' });
