// Asks both servers the same and counts by endpoint.

import { compareAnswers } from './compare-answers.js';
import type { Read } from './derive-reads.js';
import type { Server } from './server.js';

interface Sample {
  readonly caller: string;
  readonly path: string;
  readonly lines: readonly string[];
}

export interface EndpointResult {
  readonly endpoint: string;
  readonly equal: number;
  /** The number of deliberate differences. */
  readonly meant: number;
  readonly different: number;
  readonly samples: readonly Sample[];
}

const mostSamples = 5;

export interface ComparisonOptions {
  readonly one: Server;
  readonly other: Server;
  readonly reads: readonly Read[];
  /** null: without a token. */
  readonly callers: readonly (string | null)[];
  onProgress(done: number, all: number): void;
}

export async function runComparison({ one, other, reads, callers, onProgress }: ComparisonOptions): Promise<readonly EndpointResult[]> {
  const results = new Map<string, EndpointResult>();
  let done = 0;
  for (const caller of callers) {
    for (const read of reads) {
      const [a, b] = await Promise.all([one.get(read.path, caller), other.get(read.path, caller)]);
      const { outcome, samples } = compareAnswers(read, a, b);
      const before = results.get(read.endpoint) ?? { endpoint: read.endpoint, equal: 0, meant: 0, different: 0, samples: [] };
      const isShown = outcome === 'different' && before.samples.length < mostSamples;
      const sample = { caller: caller ?? 'the public', path: read.path, lines: samples };
      results.set(read.endpoint, {
        ...before,
        [outcome]: before[outcome] + 1,
        samples: isShown ? [...before.samples, sample] : before.samples,
      });
      done += 1;
      onProgress(done, reads.length * callers.length);
    }
  }
  return [...results.values()];
}
