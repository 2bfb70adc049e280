// Reads a statement in batches. The worker advances it only when the next batch is requested, so a slow consumer slows the statement down.

import type { Row } from '../../../../core/vendor/driver.js';

const batchRows = 500;
const batchCharacters = 64 * 1024;

interface Batch {
  readonly rows: readonly Row[];
  readonly last: boolean;
}

export interface BatchStream {
  open(rows: IterableIterator<Row>): void;
  next(): Batch;
  end(): void;
}

export function createStream(checkAlive: () => void): BatchStream {
  let source: IterableIterator<Row> | null = null;

  function next(): Batch {
    const rows: Row[] = [];
    let characters = 0;
    while (source !== null && rows.length < batchRows && characters < batchCharacters) {
      const step = source.next();
      if (step.done === true) source = null;
      else {
        rows.push(step.value);
        characters += countCharacters(step.value);
        checkAlive();
      }
    }
    return { rows, last: source === null };
  }

  function end(): void {
    source?.return?.();
    source = null;
  }

  return {
    open: (rows) => {
      source = rows;
    },
    next,
    end,
  };
}

function countCharacters(row: Row): number {
  let total = 0;
  for (const cell of row) total += typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 8;
  return total;
}
