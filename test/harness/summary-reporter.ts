// The last lines of the test command: which vendors were tested, which were not, and one line `N passed, N failed`.

import type { Reporter, TestCase, TestModule } from 'vitest/node';

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const cases = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: ReturnType<TestCase['result']>['state']): number => cases.filter((test) => test.result().state === state).length;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const lines = [...vendorLines(modules), `${count('passed')} passed, ${count('failed') + broken + unhandled.length} failed`];
    // The default reporter writes its own totals after this hook; ours come last.
    process.once('exit', () => console.log(lines.join('\n')));
  }
}

function vendorLines(modules: readonly TestModule[]): readonly string[] {
  const context = modules.map((module) => module.project.getProvidedContext()).find(({ vendors }) => vendors !== undefined);
  if (context === undefined) return [];
  const tested = `Databases tested: ${context.vendors.map((vendor) => vendor.label).join(', ')}`;
  const missing = context.missingVendors.join(', ');
  return missing === '' ? [tested] : [tested, `Databases NOT tested (no server found, none could be started): ${missing}`];
}
