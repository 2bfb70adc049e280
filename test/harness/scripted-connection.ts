// The driver port without a database: plays prepared replies and records what was sent. Like a real driver it runs queued statements first,
// calls their `onRows`, and reports the one that failed.

import { DatabaseError, QueuedFailure } from '../../src/core/vendor/database-error.js';
import type { Connection, Driver, Row, Statement } from '../../src/core/vendor/driver.js';

/** The rows a statement returns, the number of rows it changed, or how it fails. */
export type Reply = readonly Row[] | number | DatabaseError;

/** One call of the port: the queued statements and the one they were sent with, in order. MariaDB's driver may need several round trips for it. */
export interface Exchange {
  readonly texts: readonly string[];
  readonly values: readonly (readonly unknown[])[];
  readonly last: boolean;
}

export class ScriptedConnection implements Connection {
  readonly exchanges: Exchange[] = [];
  readonly #replies: Reply[];
  #generated = 0;

  /** `replies`: one for each statement, in order. Without a reply, an INSERT returns the keys of its batch, counted from 1, and others nothing. */
  constructor(replies: readonly Reply[] = []) {
    this.#replies = [...replies];
  }

  async rows(statement: Statement): Promise<readonly Row[]> {
    const reply = this.#play(statement);
    return typeof reply === 'number' ? [] : reply;
  }

  async run(statement: Statement): Promise<number> {
    const reply = this.#play(statement);
    return typeof reply === 'number' ? reply : reply.length;
  }

  #play(statement: Statement): readonly Row[] | number {
    const { queued = [], last = false } = statement;
    const all = [...queued, statement];
    this.exchanges.push({ texts: all.map(({ text }) => text), values: all.map(({ values }) => values), last });
    for (const [index, first] of queued.entries()) {
      const reply = this.#reply(first);
      if (reply instanceof DatabaseError) throw new QueuedFailure(index, reply);
      first.onRows?.(typeof reply === 'number' ? [] : reply);
    }
    const reply = this.#reply(statement);
    if (reply instanceof DatabaseError) throw reply;
    return reply;
  }

  #reply({ batch }: Statement): Reply {
    const reply = this.#replies.shift();
    if (reply !== undefined) return reply;
    return Array.from({ length: batch?.rows ?? 0 }, () => {
      this.#generated += 1;
      return [this.#generated];
    });
  }
}

export interface ScriptedDriver extends Driver {
  /** One connection for each transaction that was started. */
  readonly connections: readonly ScriptedConnection[];
  readonly outcomes: readonly ('committed' | 'rolled back')[];
}

/** `scripts`: the replies of each transaction, in order. */
export function scriptedDriver(scripts: readonly (readonly Reply[])[] = []): ScriptedDriver {
  const connections: ScriptedConnection[] = [];
  const outcomes: ('committed' | 'rolled back')[] = [];
  const outside = new ScriptedConnection();
  return {
    connections,
    outcomes,
    rows: (statement) => outside.rows(statement),
    run: (statement) => outside.run(statement),
    async *stream(statement) {
      yield await outside.rows(statement);
    },
    async transaction(work) {
      const connection = new ScriptedConnection(scripts[connections.length]);
      connections.push(connection);
      try {
        const result = await work(connection);
        outcomes.push('committed');
        return result;
      } catch (error) {
        outcomes.push('rolled back');
        throw error;
      }
    },
    version: async () => 'scripted',
    pool: () => ({ size: 1, idle: 1, waiting: 0 }),
    statements: () => connections.reduce((sum, { exchanges }) => sum + exchanges.flatMap(({ texts }) => texts).length, 0),
    close: async () => undefined,
  };
}
