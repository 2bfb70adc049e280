import { expect, it } from 'vitest';
import { makeAddressCheck } from './public-address.js';

const isAllowed = makeAddressCheck(['127.0.0.1', '10.1.0.0/16', 'fd00::/64']);

it.each(['1.1.1.1', '8.8.8.8', '2606:4700::1111', '127.0.0.1', '::ffff:127.0.0.1', '10.1.2.3', 'fd00::9'])(
  '%s may be fetched from',
  (address) => {
    expect(isAllowed(address)).toBe(true);
  },
);

it.each([
  '127.0.0.2',
  '0.0.0.0',
  '10.2.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.2.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.2',
  '::10.0.0.1',
  '::ffff:7f00:2',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  'fd01::1',
  'fe80::1',
  'fec0::1',
  'not an address',
])('%s may not', (address) => {
  expect(isAllowed(address)).toBe(false);
});
