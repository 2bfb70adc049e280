// Repeats a block of tests for each vendor that is available on this machine.

import { describe, inject } from 'vitest';
import type { Vendor } from './vendors.js';

export function describeEachVendor(name: string, tests: (vendor: Vendor) => void): void {
  for (const vendor of inject('vendors')) describe(`${name} (${vendor.name})`, () => tests(vendor));
}
