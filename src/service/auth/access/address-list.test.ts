import { describe, expect, it } from 'vitest';
import { isAddressEntry, isListedAddress } from './address-list.js';

describe('allow-lists of addresses', () => {
  it.each<[string, string, boolean]>([
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.4', false],
    ['192.168.0.0/24', '192.168.0.200', true],
    ['192.168.0.0/24', '192.168.1.1', false],
    ['10.0.0.5-10.0.0.9', '10.0.0.9', true],
    ['10.0.0.5 - 10.0.0.9', '10.0.0.10', false],
    ['0.0.0.0/0', '8.8.8.8', true],
    ['2001:db8::/32', '2001:db8::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:db8::1-2001:db8::ff', '2001:db8::a', true],
    ['::1', '127.0.0.1', false],
    ['::/0', '127.0.0.1', false],
    ['10.0.0.1', '::ffff:10.0.0.1', true],
    ['10.0.0.0/8', '::ffff:a00:1', true],
    ['::ffff:10.0.0.1', '10.0.0.1', true],
    ['::ffff:10.0.0.0/104', '10.200.0.1', true],
    ['fe80::1', 'fe80::1%eth0', true],
    ['fe80::1', 'fe80::2%fe80::1', false],
    ['10.0.0.0/33', '10.0.0.1', false],
    ['10.0.0.0/8/8', '10.0.0.1', false],
    ['010.0.0.1', '10.0.0.1', false],
    ['10.1', '10.0.0.1', false],
    ['*', '10.0.0.1', false],
    ['', '10.0.0.1', false],
  ])('C21: %s holds for %s: %s', (entry, address, expected) => {
    expect(isListedAddress([entry], address)).toBe(expected);
  });

  it('an empty list covers no address, and no list covers an unknown one', () => {
    expect(isListedAddress([], '10.0.0.1')).toBe(false);
    expect(isListedAddress(['0.0.0.0/0', '::/0'], null)).toBe(false);
    expect(isListedAddress(['0.0.0.0/0', '::/0'], 'somewhere')).toBe(false);
  });

  it('knows which entries can be parsed', () => {
    expect(['10.0.0.1', '10.0.0.0/8', '::1', '10.0.0.1-10.0.0.2', '10.0.0.0/99', 'localhost', ''].map(isAddressEntry)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
