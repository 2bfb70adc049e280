// Which addresses the service may fetch from on somebody's behalf: those of the public internet, and what the configuration adds.

import ipaddr from 'ipaddr.js';

export type AddressCheck = (address: string) => boolean;

/** `allowed`: addresses and blocks that need not be public. */
export function makeAddressCheck(allowed: readonly string[]): AddressCheck {
  const blocks = allowed.map(parseBlock);
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    // An IPv4 address written as IPv6 is judged as what it is.
    const address = ipaddr.process(text);
    return isPublic(address) || blocks.some(([block, bits]) => block.kind() === address.kind() && address.match(block, bits));
  };
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const globalUnicast = ipaddr.parse('2000::');

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  // Whatever lies outside of 2000::/3 was never given to anybody, and may lead back to IPv4 by some translation.
  return address.kind() === 'ipv4' || address.match(globalUnicast, 3);
}

function parseBlock(text: string): [Address, number] {
  const block = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`;
  return ipaddr.parseCIDR(block);
}
