// Verifies the logout request of a SAML identity provider, which arrives in the URL of a browser (HTTP-Redirect), with a signature over the
// query as written.

import { verify, X509Certificate } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { type EndedLogin, IdentityRefused } from '../provider.js';
import type { SamlSettings } from '../settings/provider-settings.js';
import { childrenOf, onlyChild, readXml, type XmlElement } from './read-xml.js';
import type { SamlPlaces } from './saml-metadata.js';
import { assertions, expectAttribute, expectFresh, expectNotOver, expectText, protocol, sessionOf } from './saml-names.js';

/** The limit after inflating: a few kilobytes can inflate a thousandfold. */
const maxBytes = 65_536;

const maxAgeMs = 300_000;

const hashes: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': 'sha384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'sha512',
};

/** Throws unless the provider signed the request, recently and for this address. */
export function readLogoutRequest(
  { identityProvider: { entityId, certificates }, identifierKey }: SamlSettings,
  { logout }: SamlPlaces,
  query: string,
): EndedLogin & { readonly nameId: string; readonly relayState: string } {
  const sent = readParameters(query);
  expectSigned(sent, certificates);
  const request = inflate(textOf(sent, 'SAMLRequest'));
  if (request.name !== 'LogoutRequest' || request.namespace !== protocol) throw new Error(`${request.name} is no request for a logout`);
  expectAttribute(request, 'Version', '2.0');
  expectAttribute(request, 'Destination', logout);
  expectFresh(request, maxAgeMs);
  if (request.attributes.has('NotOnOrAfter')) expectNotOver(request, 'NotOnOrAfter');
  expectText(onlyChild(request, assertions, 'Issuer'), entityId);
  const { text, children } = onlyChild(request, assertions, 'NameID');
  const id = request.attributes.get('ID') ?? '';
  if (id === '' || children.length > 0) throw new Error('the request has no id, or its subject is not one text');
  const name = text.trim();
  const sessions = childrenOf(request, protocol, 'SessionIndex').map((index) => sessionOf(name, index.text.trim()));
  const isKnown = identifierKey.endsWith('/nameidentifier');
  if (!isKnown && sessions.length === 0)
    throw new IdentityRefused('users are identified by another attribute than the name that logouts have');
  const relayState = sent.has('RelayState') ? textOf(sent, 'RelayState') : '';
  return { issuer: entityId, subject: isKnown ? name : null, sessions, id, nameId: name, relayState };
}

const parameterNames: ReadonlySet<string> = new Set(['SAMLRequest', 'RelayState', 'SigAlg', 'Signature']);

/** The parameters as written, since that is what was signed. Throws if one is repeated: it would be unclear which one was signed. */
function readParameters(query: string): ReadonlyMap<string, string> {
  const sent = new Map<string, string>();
  for (const part of query.split('&')) {
    const [name = '', ...value] = part.split('=');
    if (sent.has(name)) throw new Error(`the parameter ${name} comes twice`);
    if (parameterNames.has(name)) sent.set(name, value.join('='));
  }
  return sent;
}

function textOf(sent: ReadonlyMap<string, string>, name: string): string {
  const written = sent.get(name);
  if (written === undefined) throw new Error(`the parameter ${name} is missing`);
  return decodeURIComponent(written.replaceAll('+', ' '));
}

function expectSigned(sent: ReadonlyMap<string, string>, certificates: readonly string[]): void {
  const hash = hashes[textOf(sent, 'SigAlg')];
  if (hash === undefined) throw new Error(`${textOf(sent, 'SigAlg')} is not used for signatures`);
  const signed = ['SAMLRequest', 'RelayState', 'SigAlg'].flatMap((name) => (sent.has(name) ? [`${name}=${sent.get(name)}`] : []));
  const text = Buffer.from(signed.join('&'));
  const signature = Buffer.from(textOf(sent, 'Signature'), 'base64');
  const keys = certificates.map((certificate) => new X509Certificate(Buffer.from(certificate, 'base64')).publicKey);
  if (!keys.some((key) => key.asymmetricKeyType === 'rsa' && verify(hash, text, key, signature))) throw new Error('the signature is wrong');
}

function inflate(encoded: string): XmlElement {
  const inflated = inflateRawSync(Buffer.from(encoded, 'base64'), { maxOutputLength: maxBytes });
  return readXml(new TextDecoder('utf-8', { fatal: true }).decode(inflated));
}
