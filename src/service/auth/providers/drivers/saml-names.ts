// What messages of SAML have in common: names, times, and the checks of both.

import type { XmlElement } from './read-xml.js';

export const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const assertions = 'urn:oasis:names:tc:SAML:2.0:assertion';
export const signatures = 'http://www.w3.org/2000/09/xmldsig#';

/** How far the clocks of provider and service may be apart. */
export const clockSkewMs = 120_000;

/** Older assertions are refused, even if they claim to be valid longer. The ids of used assertions are kept for the same time. */
export const maxAssertionAgeMs = 3_600_000;

/** The subject exactly as the provider wrote it, which a logout request has to repeat. */
export interface SamlSubject {
  readonly nameID: string;
  readonly nameIDFormat: string;
  readonly nameQualifier?: string;
  readonly spNameQualifier?: string;
  readonly sessionIndex?: string;
}

/** A session index is unique only together with its subject. */
export const sessionOf = (nameId: string, index: string): string => JSON.stringify([nameId, index]);

/** Throws unless the attribute has exactly this value. */
export function expectAttribute({ name, attributes }: XmlElement, attribute: string, value: string): void {
  const found = attributes.get(attribute);
  if (found !== value) throw new Error(`${name} has the ${attribute} ${JSON.stringify(found ?? null)} and not ${JSON.stringify(value)}`);
}

export function expectText({ name, text, children }: XmlElement, value: string): void {
  if (text.trim() !== value || children.length > 0)
    throw new Error(`${name} is ${JSON.stringify(text.slice(0, 200))} and not ${JSON.stringify(value)}`);
}

/** In milliseconds; throws for what is no time in UTC. */
function timeOf({ name, attributes }: XmlElement, attribute: string): number {
  const written = attributes.get(attribute) ?? '';
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(written) ? Date.parse(written) : Number.NaN;
  if (Number.isNaN(time)) throw new Error(`${name} has no time ${attribute}`);
  return time;
}

/** Throws for a message that was made in the future, or longer ago than `maxAgeMs`. */
export function expectFresh(element: XmlElement, maxAgeMs: number): number {
  const [issued, now] = [timeOf(element, 'IssueInstant'), Date.now()];
  if (issued > now + clockSkewMs || issued <= now - maxAgeMs - clockSkewMs) throw new Error(`${element.name} was not made now`);
  return issued;
}

/** Throws when the time that a message gives itself is over. */
export function expectNotOver(element: XmlElement, attribute: string): void {
  if (timeOf(element, attribute) <= Date.now() - clockSkewMs) throw new Error(`${element.name} is over by its ${attribute}`);
}
