// SAML 2.0: requests go to the provider through the browser's URL (HTTP-Redirect), responses come back as a form (HTTP-POST). The structure
// of a message is checked first, then the package verifies its signatures, and only signed content is read.

import { X509Certificate } from 'node:crypto';
import type { SamlConfig } from '@node-saml/node-saml';
import type { Finding, LoginChecks, SamlProvider } from '../provider.js';
import type { SamlSettings } from '../settings/provider-settings.js';
import { readXml } from './read-xml.js';
import { checkResponse, type ExpectedAnswer, readAssertion } from './saml-assertion.js';
import { readLogoutRequest } from './saml-logout.js';
import { type SamlPlaces, samlPlaces } from './saml-metadata.js';
import { clockSkewMs, maxAssertionAgeMs, type SamlSubject } from './saml-names.js';

const loadPackage = () => import('@node-saml/node-saml');

export async function openSaml(settings: SamlSettings): Promise<SamlProvider> {
  const { SAML, ValidateInResponseTo } = await loadPackage();
  const { identityProvider } = settings;
  const open = (places: SamlPlaces, more: Partial<SamlConfig>) =>
    new SAML({ ...optionsOf(settings, places), validateInResponseTo: ValidateInResponseTo.always, ...more });
  return {
    kind: 'redirect',
    authorize: (checks, prompt) => {
      const asked = { forceAuthn: prompt === 'login', passive: prompt === 'none' };
      return open(placesOf(settings, checks), { ...ofRequest(checks), ...asked }).getAuthorizeUrlAsync(checks.state, undefined, {});
    },
    async redeem(checks, parameters) {
      const places = placesOf(settings, checks);
      const expected: ExpectedAnswer = { request: requestId(checks), consumer: places.consumer, issuer: identityProvider.entityId };
      const xml = decodeMessage(parameters.get('SAMLResponse') ?? '');
      checkResponse(readXml(xml), expected);
      // Encoded again, so that the package reads exactly the text that was checked.
      const SAMLResponse = Buffer.from(xml).toString('base64');
      const { profile } = await open(places, ofRequest(checks)).validatePostResponseAsync({ SAMLResponse });
      const signed = profile?.getAssertionXml?.();
      if (signed === undefined) throw new Error('the answer has no assertion');
      return readAssertion(settings, readXml(signed), expected);
    },
    renew: null,
    probe: async () => [inspectMetadata(settings)],
    readLogout: null,
    logoutUrl: async (target, token, base) => {
      if (identityProvider.logoutUrl === null || token === null) return null;
      const subject = JSON.parse(token) as SamlSubject;
      return open(samlPlaces(settings, base), {}).getLogoutUrlAsync({ issuer: identityProvider.entityId, ...subject }, target, {});
    },
    async readLogoutRequest(query, base) {
      const places = samlPlaces(settings, base);
      const { nameId, relayState, ...ended } = readLogoutRequest(settings, places, query);
      const profile = { ID: ended.id, issuer: ended.issuer, nameID: nameId, nameIDFormat: '' };
      return {
        ...ended,
        answer: async () =>
          identityProvider.logoutUrl === null ? '/' : open(places, {}).getLogoutResponseUrlAsync(profile, relayState, {}, true),
      };
    },
  };
}

/** The provider can be reached through browsers only, so a test can check nothing but its metadata. */
function inspectMetadata({ identityProvider: { entityId, certificates } }: SamlSettings): Finding {
  const ends = certificates.map((certificate) => Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo));
  const last = new Date(Math.max(...ends));
  const until = last.toISOString().slice(0, 10);
  return last.getTime() < Date.now()
    ? { level: 'doubtful', code: 'CERTIFICATE_EXPIRED', message: `The certificate of ${entityId} has expired on ${until}.` }
    : {
        level: 'good',
        code: 'METADATA_READ',
        message: `The metadata of ${entityId} can be used; the certificate is valid until ${until}.`,
      };
}

function optionsOf({ identityProvider, key, signed, loginTimeoutMs }: SamlSettings, places: SamlPlaces): SamlConfig {
  const { entityId, loginUrl, logoutUrl, certificates } = identityProvider;
  return {
    ...{ callbackUrl: places.consumer, issuer: places.entityId, audience: places.entityId },
    ...{ entryPoint: loginUrl, logoutUrl: logoutUrl ?? loginUrl, idpIssuer: entityId, idpCert: [...certificates] },
    ...{ wantAuthnResponseSigned: signed !== 'assertion', wantAssertionsSigned: signed !== 'response' },
    ...{ acceptedClockSkewMs: clockSkewMs, maxAssertionAgeMs, requestIdExpirationPeriodMs: loginTimeoutMs },
    // Leaves the form of the NameID and the method of authentication to the provider.
    ...{ identifierFormat: null, disableRequestedAuthnContext: true },
    ...{ signatureAlgorithm: 'sha256', digestAlgorithm: 'sha256' },
    ...(key === null ? {} : { privateKey: key.privateKey }),
    cacheProvider: nothingKept,
  };
}

/** Replaces the package's store of sent requests: the browser carries the state of a login, sealed in a cookie. */
const nothingKept: NonNullable<SamlConfig['cacheProvider']> = {
  saveAsync: async () => null,
  getAsync: async () => null,
  removeAsync: async () => null,
};

/** An XML id must not begin with a digit. */
const requestId = ({ nonce }: LoginChecks): string => `_${nonce}`;

/** Makes the package accept responses to this request only. */
function ofRequest(checks: LoginChecks): Partial<SamlConfig> {
  const id = requestId(checks);
  const getAsync = async (asked: string): Promise<string | null> => (asked === id ? new Date().toISOString() : null);
  return { generateUniqueId: () => id, cacheProvider: { ...nothingKept, getAsync } };
}

const placesOf = (settings: SamlSettings, { callback }: LoginChecks): SamlPlaces =>
  samlPlaces(settings, callback.slice(0, callback.lastIndexOf('/auth/login/')));

/** Decodes strict Base64 and UTF-8; throws for characters that lenient decoders would skip. */
function decodeMessage(encoded: string): string {
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(encoded)) throw new Error('no Base64');
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
}
