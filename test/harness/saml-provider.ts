// A SAML identity provider that a test can make lie: it answers every request for a login as the person the test names, signs as the test says,
// and hands out what it signed for the test to forge.

import { createSign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import type { Browser, Visited } from './browser.js';

const fixture = (name: string): string => readFileSync(new URL(`../fixtures/saml/${name}`, import.meta.url), 'utf8');

export const samlKeys = {
  provider: { key: fixture('provider.key'), certificate: fixture('provider.crt') },
  /** Of another signer. */
  stranger: { key: fixture('stranger.key'), certificate: fixture('stranger.crt') },
  service: { key: fixture('service.key'), certificate: fixture('service.crt') },
};

interface SamlPerson {
  /** XML, as written in the element. */
  readonly nameId: string;
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
}

/** What an answer says; a test replaces the parts that it forges. */
export interface SamlLies {
  readonly issuer?: string;
  readonly audience?: string;
  readonly recipient?: string;
  readonly destination?: string;
  /** null leaves it out. */
  readonly inResponseTo?: string | null;
  readonly confirmedInResponseTo?: string | null;
  /** Milliseconds from now. */
  readonly issued?: number;
  readonly notBefore?: number;
  readonly notOnOrAfter?: number;
  readonly status?: string;
  readonly format?: string;
  readonly method?: string;
  readonly assertionId?: string;
  readonly sign?: 'both' | 'response' | 'assertion' | 'none';
  readonly key?: keyof typeof samlKeys;
  readonly sha1?: boolean;
  /** Changes the answer before it is signed. */
  readonly unsigned?: (xml: string) => string;
  /** Changes it after that. */
  readonly signed?: (xml: string) => string;
}

export interface SamlForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

interface SamlProvider {
  readonly url: string;
  readonly metadata: string;
  person: SamlPerson;
  lies: SamlLies;
  /** The requests for logins and logouts, the last one last. */
  readonly requests: URL[];
  /** Goes to the provider and stops at the form by which it sends the browser back. */
  logIn(browser: Browser, start: string): Promise<SamlForm>;
  /** The address by which the provider asks the service at `destination` to log a user out. */
  logoutRequest(destination: string, nameId: string, lies?: LogoutLies): string;
  stop(): Promise<void>;
}

interface LogoutLies {
  readonly issuer?: string;
  readonly destination?: string;
  readonly issued?: number;
  readonly key?: keyof typeof samlKeys;
  readonly id?: string;
  readonly xml?: (xml: string) => string;
}

const soon = 60_000;
const at = (fromNow: number): string => new Date(Date.now() + fromNow).toISOString();
const bare = (pem: string): string => pem.replace(/-----[A-Z ]+-----|\s+/g, '');

const saml = 'urn:oasis:names:tc:SAML:2.0';
const names = `xmlns:samlp="${saml}:protocol" xmlns:saml="${saml}:assertion"`;

export async function startSamlProvider(): Promise<SamlProvider> {
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', provider.url);
    provider.requests.push(asked);
    if (asked.pathname !== '/sso') {
      response.writeHead(200).end('logged out');
      return;
    }
    const { action, fields } = answer(provider, asked);
    const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}"/>`);
    const page = `<form method="post" action="${action}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`;
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  // Another site than 127.0.0.1, as a provider is.
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const provider: SamlProvider = {
    url,
    metadata: `<?xml version="1.0"?><!-- of the tests --><EntityDescriptor xmlns="${saml}:metadata" entityID="${url}/idp"><IDPSSODescriptor protocolSupportEnumeration="${saml}:protocol"><KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${bare(samlKeys.provider.certificate)}</X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleLogoutService Binding="${saml}:bindings:HTTP-Redirect" Location="${url}/slo"/><SingleSignOnService Binding="${saml}:bindings:HTTP-POST" Location="${url}/post"/><SingleSignOnService Binding="${saml}:bindings:HTTP-Redirect" Location="${url}/sso"/></IDPSSODescriptor></EntityDescriptor>`,
    person: { nameId: 'somebody' },
    lies: {},
    requests: [],
    async logIn(browser, start) {
      const page = await browser.follow(start);
      return formOf(page);
    },
    logoutRequest: (destination, nameId, lies = {}) => logoutRequest(url, destination, nameId, lies),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return provider;
}

/** The form of a page, with the values of its hidden fields. */
export function formOf({ text, url }: Visited): SamlForm {
  const action = /<form method="post"(?: action="([^"]+)")?>/.exec(text);
  if (action === null) throw new Error(`no form: ${url.href} ${text.slice(0, 300)}`);
  const inputs = text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"\/?>/g);
  return {
    action: action[1] ?? url.href,
    fields: Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, unescaped(value)])),
  };
}

const unescaped = (text: string): string => text.replace(/&#(\d+);/g, (_found, code) => String.fromCharCode(Number(code)));

/** The message in the address of a request, as XML. */
export const messageIn = (url: URL): string =>
  inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? url.searchParams.get('SAMLResponse') ?? '', 'base64')).toString();

const attributeOf = (xml: string, name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? '';

function answer({ url, person, lies }: SamlProvider, asked: URL): SamlForm {
  const request = messageIn(asked);
  const consumer = attributeOf(request, 'AssertionConsumerServiceURL');
  const facts = {
    issuer: `${url}/idp`,
    audience: /<saml:Issuer[^>]*>([^<]*)</.exec(request)?.[1] ?? '',
    ...{ recipient: consumer, destination: consumer, inResponseTo: attributeOf(request, 'ID') },
    confirmedInResponseTo: attributeOf(request, 'ID'),
    ...{ issued: 0, notBefore: -soon, notOnOrAfter: soon, status: `${saml}:status:Success` },
    ...{ format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', method: `${saml}:cm:bearer` },
    assertionId: `_${crypto.randomUUID()}`,
    ...lies,
  };
  const xml = (lies.unsigned ?? plain)(write(person, facts));
  const signed = (lies.signed ?? plain)(signParts(xml, lies));
  const RelayState = asked.searchParams.get('RelayState');
  return {
    action: consumer,
    fields: { SAMLResponse: Buffer.from(signed).toString('base64'), ...(RelayState === null ? {} : { RelayState }) },
  };
}

const plain = (xml: string): string => xml;

type Facts = Required<Omit<SamlLies, 'sign' | 'key' | 'sha1' | 'unsigned' | 'signed'>>;

function write(person: SamlPerson, facts: Facts): string {
  const { issuer, inResponseTo, confirmedInResponseTo } = facts;
  const to = (id: string | null): string => (id === null ? '' : ` InResponseTo="${id}"`);
  const attributes = Object.entries(person.attributes ?? {}).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  );
  return [
    `<samlp:Response ${names} ID="_${crypto.randomUUID()}" Version="2.0" IssueInstant="${at(facts.issued)}" Destination="${facts.destination}"${to(inResponseTo)}>`,
    `<saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${facts.status}"/></samlp:Status>`,
    `<saml:Assertion xmlns:saml="${saml}:assertion" ID="${facts.assertionId}" Version="2.0" IssueInstant="${at(facts.issued)}"><saml:Issuer>${issuer}</saml:Issuer>`,
    `<saml:Subject><saml:NameID Format="${facts.format}">${person.nameId}</saml:NameID>`,
    `<saml:SubjectConfirmation Method="${facts.method}"><saml:SubjectConfirmationData NotOnOrAfter="${at(facts.notOnOrAfter)}" Recipient="${facts.recipient}"${to(confirmedInResponseTo)}/></saml:SubjectConfirmation></saml:Subject>`,
    `<saml:Conditions NotBefore="${at(facts.notBefore)}" NotOnOrAfter="${at(facts.notOnOrAfter)}"><saml:AudienceRestriction><saml:Audience>${facts.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${at(facts.issued)}" SessionIndex="session of ${person.nameId}"><saml:AuthnContext><saml:AuthnContextClassRef>${saml}:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    attributes.length === 0 ? '' : `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`,
    `</saml:Assertion></samlp:Response>`,
  ].join('');
}

function signParts(xml: string, { sign = 'both', key = 'provider', sha1 = false }: SamlLies): string {
  const parts = { both: ['Assertion', 'Response'], assertion: ['Assertion'], response: ['Response'], none: [] }[sign];
  return parts.reduce((text, part) => signPart(text, part, samlKeys[key], sha1), xml);
}

function signPart(xml: string, part: string, { key, certificate }: (typeof samlKeys)['provider'], sha1: boolean): string {
  const path = part === 'Response' ? '/*' : "/*/*[local-name(.)='Assertion']";
  const signature = new SignedXml({
    privateKey: key,
    publicCert: certificate,
    signatureAlgorithm: sha1 ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' : 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  signature.addReference({
    xpath: path,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
    digestAlgorithm: sha1 ? 'http://www.w3.org/2000/09/xmldsig#sha1' : 'http://www.w3.org/2001/04/xmlenc#sha256',
  });
  signature.computeSignature(xml, { prefix: 'ds', location: { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' } });
  return signature.getSignedXml();
}

function logoutRequest(url: string, destination: string, nameId: string, lies: LogoutLies): string {
  const { issuer = `${url}/idp`, issued = 0, key = 'provider', id = `_${crypto.randomUUID()}`, xml = plain } = lies;
  const request = `<samlp:LogoutRequest ${names} ID="${id}" Version="2.0" IssueInstant="${at(issued)}" Destination="${lies.destination ?? destination}"><saml:Issuer>${issuer}</saml:Issuer><saml:NameID>${nameId}</saml:NameID></samlp:LogoutRequest>`;
  const query = new URLSearchParams({
    SAMLRequest: deflateRawSync(xml(request)).toString('base64'),
    RelayState: 'state of the provider',
    SigAlg: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  });
  query.set('Signature', createSign('sha256').update(query.toString()).sign(samlKeys[key].key, 'base64'));
  return `${destination}?${query}`;
}
