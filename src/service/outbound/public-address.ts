// The addresses that the service may fetch from for a client: those of the public internet, and those that the configuration adds.

import ipaddr from 'ipaddr.js';

export type AddressCheck = (address: string) => boolean;

/** `allowed` lists addresses and blocks that are accepted although they are not public. */
export function makeAddressCheck(allowed: readonly string[]): AddressCheck {
  const blocks = allowed.map(parseBlock);
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    // An IPv4-mapped IPv6 address is checked as IPv4.
    const address = ipaddr.process(text);
    return isPublic(address) || blocks.some(([block, bits]) => block.kind() === address.kind() && address.match(block, bits));
  };
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const globalUnicast = ipaddr.parse('2000::');

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  // Addresses outside of 2000::/3 are not assigned to anyone, and some translate back to IPv4.
  return address.kind() === 'ipv4' || address.match(globalUnicast, 3);
}

function parseBlock(text: string): [Address, number] {
  const block = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`;
  return ipaddr.parseCIDR(block);
}
