// Allow-lists of client addresses: single addresses, CIDR blocks and ranges (`10.0.0.1-10.0.0.9`), IPv4 and IPv6. An entry that cannot
// be parsed matches no address. An IPv4 address mapped to IPv6 (`::ffff:10.0.0.1`) counts as the IPv4 address.

import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** True when an entry covers the address. */
export function isListedAddress(entries: readonly string[], address: string | null): boolean {
  const client = address === null ? null : readAddress(address);
  return client !== null && entries.some((entry) => matches(entry.trim(), client));
}

/** Whether an entry can be parsed; checked when a policy is written. */
export const isAddressEntry = (entry: string): boolean =>
  readRange(entry.trim()) !== null || readBlock(entry.trim()) !== null || readAddress(entry.trim()) !== null;

function matches(entry: string, client: Address): boolean {
  const range = readRange(entry);
  if (range !== null) return isBetween(client, range[0], range[1]);
  const block = readBlock(entry);
  if (block !== null) return block[0].kind() === client.kind() && client.match(block);
  const single = readAddress(entry);
  return single !== null && isBetween(client, single, single);
}

/** Ignores the zone of an address (`fe80::1%eth0`), which names an interface of this machine. */
function readAddress(text: string): Address | null {
  const bare = text.replace(/%.*$/, '');
  return isPlainAddress(bare) ? ipaddr.process(bare) : null;
}

/** Accepts IPv4 in the four-part decimal form only: parsers disagree about forms such as `010.1` and `127.1`. */
const isPlainAddress = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);

function readBlock(text: string): [Address, number] | null {
  const [base = '', bits = '', rest] = text.split('/');
  if (rest !== undefined || !/^\d{1,3}$/.test(bits) || !isPlainAddress(base)) return null;
  const address = ipaddr.parse(base);
  if (Number(bits) > address.toByteArray().length * 8) return null;
  return isMapped(address) && Number(bits) >= 96 ? [address.toIPv4Address(), Number(bits) - 96] : [address, Number(bits)];
}

const isMapped = (address: Address): address is ipaddr.IPv6 => address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();

function readRange(text: string): readonly [Address, Address] | null {
  const [from = '', to, rest] = text.split('-').map((part) => part.trim());
  if (to === undefined || rest !== undefined) return null;
  const [first, last] = [readAddress(from), readAddress(to)];
  return first === null || last === null ? null : [first, last];
}

function isBetween(client: Address, first: Address, last: Address): boolean {
  if (client.kind() !== first.kind() || client.kind() !== last.kind()) return false;
  const [at, low, high] = [client, first, last].map((address) => Buffer.from(address.toByteArray()));
  return at !== undefined && low !== undefined && high !== undefined && at.compare(low) >= 0 && at.compare(high) <= 0;
}
