// Counts the statements of repeatable work: the least of several runs, because the service polls for changes in between: of so many runs one at
// least has no poll in it, also where a run takes long.

import type { TestService } from './start-service.js';

const runs = 12;

export async function leastStatements(service: TestService, work: () => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  while (counts.length < runs) counts.push(await service.countStatements(work));
  return Math.min(...counts);
}
