// A look that may be dear: after each it rests, the longer the more it cost, so that looking stays a small part of the database's work.

const restPerCost = 10;

/** Answers null while it rests. */
export function paceLook<T>(
  look: () => Promise<T>,
  rest: { readonly least: number; readonly most: number },
  now: () => number = () => performance.now(),
): () => Promise<T | null> {
  let dueAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const started = now();
    if (started < dueAt) return null;
    try {
      return await look();
    } finally {
      const ended = now();
      dueAt = ended + Math.min(rest.most, Math.max(rest.least, (ended - started) * restPerCost));
    }
  };
}
