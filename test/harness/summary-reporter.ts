// Prints the last lines of the test command: the vendors that were tested and those that were not, and `N passed, N failed`;
// before them, with `npm test -- --cost`, what each file took.

import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { costLines } from './cost-lines.js';

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const cases = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: ReturnType<TestCase['result']>['state']): number => cases.filter((test) => test.result().state === state).length;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const lines = [
      ...(process.env['TEST_COST'] === undefined ? [] : costLines(modules)),
      ...vendorLines(modules),
      ...browserLines(modules),
      ...directoryLines(modules),
      `${count('passed')} passed, ${count('failed') + broken + unhandled.length} failed`,
    ];
    // The default reporter prints its totals after this hook; these lines have to come last.
    process.once('exit', () => console.log(lines.join('\n')));
  }
}

/** Tests of Studio need a browser. */
function browserLines(modules: readonly TestModule[]): readonly string[] {
  const isMissing = modules.some((module) => module.project.getProvidedContext().browser === null);
  return isMissing ? ['Studio NOT tested: no Chromium was found (install chromium, or name one with CHROMIUM=/path)'] : [];
}

/** Tests of logins by LDAP need a directory. */
function directoryLines(modules: readonly TestModule[]): readonly string[] {
  const isMissing = modules.some((module) => module.project.getProvidedContext().directory === null);
  return isMissing ? ['Logins by LDAP NOT tested: no slapd was found (install slapd)'] : [];
}

function vendorLines(modules: readonly TestModule[]): readonly string[] {
  const context = modules.map((module) => module.project.getProvidedContext()).find(({ vendors }) => vendors !== undefined);
  if (context === undefined) return [];
  const tested = `Databases tested: ${context.vendors.map((vendor) => vendor.label).join(', ')}`;
  const missing = context.missingVendors.join(', ');
  return missing === '' ? [tested] : [tested, `Databases NOT tested (no server found, none could be started): ${missing}`];
}
