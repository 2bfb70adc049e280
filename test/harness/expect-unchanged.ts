// Checks that a refused request changes nothing: every table, system tables included, is byte-equal before and after.

import { expect } from 'vitest';
import type { DirectAccess } from './direct-access.js';

export async function expectUnchanged(service: Pick<DirectAccess, 'checksums'>, act: () => Promise<unknown>): Promise<void> {
  const before = await service.checksums();
  await act();
  expect(await service.checksums()).toEqual(before);
}
