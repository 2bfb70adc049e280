// The order of the test files: those that take longest begin, so that at the end no worker is busy with one of them while the others have
// nothing left to do. Where a file never ran before, vitest takes its size for its duration; the longest here are among the smallest.

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files of the service that take a minute or more. */
const longest = [
  'test/properties/non-interference.test.ts',
  'test/e2e/faults.test.ts',
  'test/properties/subscription-world.test.ts',
  'test/conformance/mysql.test.ts',
  'test/conformance/postgres.test.ts',
  'test/conformance/sqlite.test.ts',
  'test/e2e/compatibility.test.ts',
  'test/e2e/foreign-types.test.ts',
  'test/e2e/security-lockout.test.ts',
];

const isLong = ({ moduleId }: TestSpecification): boolean => longest.some((path) => moduleId.endsWith(path));

export class LongestFirst extends BaseSequencer {
  /** Within each project: a worker serves one project only, and is started again for another. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))].map((project) => sorted.filter((file) => file.project === project));
    return projects.flatMap((own) => [...own.filter(isLong), ...own.filter((file) => !isLong(file))]);
  }
}
