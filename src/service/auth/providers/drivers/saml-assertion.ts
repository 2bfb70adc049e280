// Checks the response of a SAML identity provider: its structure before the signatures are verified, and the content of the assertion
// afterwards.

import { IdentityRefused, type ProvedIdentity } from '../provider.js';
import type { SamlSettings } from '../settings/provider-settings.js';
import { type Claims, readClaims } from './read-claims.js';
import { childrenOf, elementsOf, onlyChild, type XmlElement } from './read-xml.js';
import {
  assertions,
  clockSkewMs,
  expectAttribute,
  expectFresh,
  expectNotOver,
  expectText,
  maxAssertionAgeMs,
  protocol,
  type SamlSubject,
  sessionOf,
  signatures,
} from './saml-names.js';

export interface ExpectedAnswer {
  /** The id of the request. */
  readonly request: string;
  /** The address that responses are sent to. */
  readonly consumer: string;
  /** The entity id of the provider. */
  readonly issuer: string;
}

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const unspecified = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** Accepted algorithms of signatures and digests; SHA-1 is excluded. */
const algorithms: ReadonlySet<string | undefined> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);

const isNamed = (name: string, namespace: string) => (element: XmlElement) => element.name === name && element.namespace === namespace;

/**
 * Throws unless the document is a response to this request with exactly one assertion and with signatures only where the standard places
 * them. This excludes signature wrapping, where a signature covers another element than the one that is read.
 */
export function checkResponse(response: XmlElement, { request, consumer, issuer }: ExpectedAnswer): void {
  if (!isNamed('Response', protocol)(response)) throw new Error(`${response.name} is no response`);
  const status = onlyChild(onlyChild(response, protocol, 'Status'), protocol, 'StatusCode');
  expectAttribute(status, 'Value', success);
  expectAttribute(response, 'Version', '2.0');
  expectAttribute(response, 'Destination', consumer);
  expectAttribute(response, 'InResponseTo', request);
  for (const named of childrenOf(response, assertions, 'Issuer')) expectText(named, issuer);
  const assertion = onlyChild(response, assertions, 'Assertion');
  const all = [...elementsOf(response)];
  if (all.filter(({ name }) => /^(?:Encrypted)?Assertion$|^(?:Logout)?Response$/.test(name)).length !== 2)
    throw new Error('the response has more than one assertion');
  const placed = [response, assertion].map((element) => childrenOf(element, signatures, 'Signature').length);
  const found = all.filter(({ name }) => name === 'Signature').length;
  if (placed.some((count) => count > 1) || placed.reduce((sum, count) => sum + count, 0) !== found)
    throw new Error('a signature is not where it belongs');
  if (all.some(isNamed('Object', signatures))) throw new Error('a signature contains an object');
  const ids = all.flatMap(({ attributes }) => ['ID', 'Id', 'id'].flatMap((name) => attributes.get(name) ?? []));
  if (new Set(ids).size !== ids.length) throw new Error('two elements have one id');
  for (const { name, namespace, attributes } of all)
    if (namespace === signatures && /^(?:Signature|Digest)Method$/.test(name) && !algorithms.has(attributes.get('Algorithm')))
      throw new Error(`${attributes.get('Algorithm')} is not used for signatures`);
}

/** Call it with an assertion whose signature, conditions and audience the package has verified. */
export function readAssertion(settings: SamlSettings, assertion: XmlElement, expected: ExpectedAnswer): ProvedIdentity {
  if (!isNamed('Assertion', assertions)(assertion)) throw new Error(`${assertion.name} is no assertion`);
  expectAttribute(assertion, 'Version', '2.0');
  const id = assertion.attributes.get('ID') ?? '';
  if (id === '') throw new Error('the assertion has no id');
  const issued = expectFresh(assertion, maxAssertionAgeMs);
  expectText(onlyChild(assertion, assertions, 'Issuer'), expected.issuer);
  const subject = onlyChild(assertion, assertions, 'Subject');
  expectConfirmed(subject, expected);
  for (const { name } of onlyChild(assertion, assertions, 'Conditions').children)
    if (!knownConditions.has(name)) throw new Error(`the condition ${name} is not known`);
  const [login] = childrenOf(assertion, assertions, 'AuthnStatement');
  if (login === undefined) throw new Error('the assertion does not say that somebody logged in');
  if (login.attributes.has('SessionNotOnOrAfter')) expectNotOver(login, 'SessionNotOnOrAfter');
  const named = readSubject(subject, login.attributes.get('SessionIndex'));
  const proved = readClaims(
    settings,
    expected.issuer,
    [claimsOf(settings, assertion, named)],
    named === null ? null : JSON.stringify(named),
  );
  const session = named?.sessionIndex === undefined ? null : sessionOf(named.nameID, named.sessionIndex);
  return { ...proved, session, once: { id, expires: issued + maxAssertionAgeMs + clockSkewMs } };
}

const knownConditions: ReadonlySet<string> = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']);

/** Throws unless a bearer confirmation was made for this request and this address. */
function expectConfirmed(subject: XmlElement, { request, consumer }: ExpectedAnswer): void {
  const [confirmation, ...others] = childrenOf(subject, assertions, 'SubjectConfirmation').filter(
    ({ attributes }) => attributes.get('Method') === bearer,
  );
  if (confirmation === undefined || others.length > 0) throw new Error('the assertion is not a bearer assertion');
  const data = onlyChild(confirmation, assertions, 'SubjectConfirmationData');
  expectAttribute(data, 'Recipient', consumer);
  expectAttribute(data, 'InResponseTo', request);
  expectNotOver(data, 'NotOnOrAfter');
}

function readSubject(subject: XmlElement, sessionIndex: string | undefined): SamlSubject | null {
  const [named, ...others] = childrenOf(subject, assertions, 'NameID');
  if (named === undefined) return null;
  const { attributes, text, children } = named;
  if (others.length > 0 || children.length > 0) throw new Error('the name of the subject is not one text');
  const [nameQualifier, spNameQualifier] = [attributes.get('NameQualifier'), attributes.get('SPNameQualifier')];
  return {
    nameID: text.trim(),
    nameIDFormat: attributes.get('Format') ?? unspecified,
    ...(nameQualifier === undefined ? {} : { nameQualifier }),
    ...(spNameQualifier === undefined ? {} : { spNameQualifier }),
    ...(sessionIndex === undefined ? {} : { sessionIndex }),
  };
}

/** The attributes by name. The NameID serves as the identifying claim if no attribute does. */
function claimsOf({ identifierKey }: SamlSettings, assertion: XmlElement, named: SamlSubject | null): Claims {
  const claims = new Map<string, string[]>();
  for (const statement of childrenOf(assertion, assertions, 'AttributeStatement'))
    for (const attribute of childrenOf(statement, assertions, 'Attribute')) {
      const name = attribute.attributes.get('Name') ?? '';
      const values = childrenOf(attribute, assertions, 'AttributeValue').map(({ text }) => text.trim());
      claims.set(name, [...(claims.get(name) ?? []), ...values]);
    }
  if (!claims.has(identifierKey) && named !== null && identifierKey.endsWith('/nameidentifier')) {
    if (named.nameIDFormat === transient) throw new IdentityRefused('the provider names people differently at each login (transient)');
    claims.set(identifierKey, [named.nameID]);
  }
  return Object.fromEntries([...claims].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}
