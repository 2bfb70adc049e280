// Repeats a block of tests for each vendor that is available on this machine.

import { describe, inject } from 'vitest';
import type { Vendor } from './vendors.js';

type Describe = (name: string, tests: (vendor: Vendor) => void, vendors?: readonly Vendor[]) => void;

export const describeEachVendor: Describe = (name, tests, vendors = inject('vendors')) => {
  for (const vendor of vendors) describe(`${name} (${vendor.name})`, () => tests(vendor));
};

/**
 * The same for tests that wait most of their time: the vendors run beside each other, the tests of each one after the other. `expect.poll` is
 * then that of the test (`async ({ expect }) => …`), since the imported one belongs to the test that began last, of whichever vendor.
 */
export const describeVendorsTogether: Describe = (name, tests, vendors = inject('vendors')) => {
  for (const vendor of vendors)
    describe.concurrent(name, () => {
      describe.sequential(`(${vendor.name})`, () => tests(vendor));
    });
};
