// How many statements some work needs that may be done again: the least of several tries, because the service looks for changes beside it.

import type { TestService } from './start-service.js';

export async function leastStatements(service: TestService, work: () => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  while (counts.length < 4) counts.push(await service.countStatements(work));
  return Math.min(...counts);
}
