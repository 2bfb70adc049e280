// Counts the statements of repeatable work: the least of several runs, because the service polls for changes in between.

import type { TestService } from './start-service.js';

export async function leastStatements(service: TestService, work: () => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  while (counts.length < 4) counts.push(await service.countStatements(work));
  return Math.min(...counts);
}
