// Writes with an `Idempotency-Key`. The key is taken in the transaction of the write and its answer stored there: both are there or
// neither is, also after a crash, and of two at once the second waits for the first.

import type { Caller } from '../../core/access/view.js';
import type { SystemRows } from '../../core/engine/system-rows.js';
import type { TransactionChoices, TransactionWork } from '../../core/engine/transaction.js';
import type { Writer } from '../../core/engine/writer.js';
import { invalidPayload, serviceError } from '../../core/errors/service-error.js';
import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Connection } from '../../core/vendor/driver.js';
import { digestToken } from '../secrets/token-digest.js';

export interface KeptAnswer {
  readonly status: number;
  readonly text: string | null;
}

interface Answered<T> {
  readonly answer: T | KeptAnswer;
  readonly replayed: boolean;
}

export interface Idempotency {
  /** One transaction for `act`; without a key nothing else happens. */
  run<T extends KeptAnswer>(
    caller: Caller,
    keyed: KeyedRequest | null,
    act: (work: TransactionWork) => Promise<T>,
    choices?: TransactionChoices,
  ): Promise<Answered<T>>;
  /** Forgets answers past their day. */
  sweep(): Promise<void>;
}

export interface KeyedRequest {
  readonly key: string;
  /** What was asked: equal texts are the same request. */
  readonly content: string;
}

const lifetimeMs = 86_400_000;
const longestKey = 255;

class KeyTaken extends Error {}

export function openIdempotency(writer: Pick<Writer, 'transaction'>, rows: SystemRows, connection: Connection): Idempotency {
  return {
    async run(caller, keyed, act, choices = {}) {
      if (keyed === null) return { answer: await writer.transaction(caller, act, choices), replayed: false };
      const name = nameOf(caller, keyed);
      const fingerprint = digestToken(keyed.content);
      const known = await recall(rows, connection, name, fingerprint);
      if (known !== null) return { answer: known, replayed: true };
      try {
        const kept = await writer.transaction(caller, (work) => keep(rows, work, name, fingerprint, act), { ...choices, ends: false });
        return { answer: kept, replayed: false };
      } catch (error) {
        const first = error instanceof KeyTaken ? await recall(rows, connection, name, fingerprint) : null;
        if (first === null) throw error instanceof KeyTaken ? busy() : error;
        return { answer: first, replayed: true };
      }
    },
    async sweep() {
      await rows.deleteBefore(connection, 'created', new Date(Date.now() - lifetimeMs).toISOString());
    },
  };
}

type Name = { readonly key: string; readonly caller: string };

function nameOf({ accountability: { user, share } }: Caller, { key }: KeyedRequest): Name {
  if (key === '' || key.length > longestKey) throw invalidPayload(`"Idempotency-Key" has to be a text of 1 to ${longestKey} characters.`);
  return { key, caller: user ?? (share === null ? 'public' : `share ${share.id}`) };
}

/** The first answer; null when there is none, or its day is over. */
async function recall(rows: SystemRows, connection: Connection, name: Name, fingerprint: string): Promise<KeptAnswer | null> {
  const [row] = await rows.read(connection, ['fingerprint', 'status', 'body', 'created'], name);
  if (row === undefined) return null;
  if (Date.parse(String(row['created'])) < Date.now() - lifetimeMs) {
    await rows.delete(connection, name);
    return null;
  }
  if (row['fingerprint'] !== fingerprint)
    throw serviceError('UNPROCESSABLE_CONTENT', 'The idempotency key was used for another request.', { reason: 'idempotency key' });
  return { status: Number(row['status']), text: row['body'] === null ? null : String(row['body']) };
}

async function keep<T extends KeptAnswer>(
  rows: SystemRows,
  work: TransactionWork,
  name: Name,
  fingerprint: string,
  act: (work: TransactionWork) => Promise<T>,
): Promise<T> {
  await take(rows, work.connection, { ...name, fingerprint });
  const answer = await act(work);
  await rows.update(work.connection, { status: answer.status, body: answer.text }, name);
  return answer;
}

async function take(rows: SystemRows, connection: Connection, row: Readonly<Record<string, unknown>>): Promise<void> {
  try {
    await rows.insert(connection, [row]);
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'unique') throw new KeyTaken();
    throw error;
  }
}

/** Whoever had the key gave it back between our two looks: the same request may be sent again. */
const busy = () =>
  serviceError('SERVICE_UNAVAILABLE', 'Another request with this idempotency key was under way.', { service: 'idempotency' });
