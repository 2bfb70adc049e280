// SAML metadata: reads those of the identity provider from the settings, and writes those of the service.

import { escapeXml } from '../../../../core/util/escape-xml.js';
import type { SamlIdentityProvider, SamlSettings } from '../settings/provider-settings.js';
import { childrenOf, elementsOf, onlyChild, readXml, type XmlElement } from './read-xml.js';

const metadata = 'urn:oasis:names:tc:SAML:2.0:metadata';
const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol';
const signatures = 'http://www.w3.org/2000/09/xmldsig#';
const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const postBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

/**
 * Throws unless the document describes exactly one provider that the service can use. Comments are allowed here, because the document comes
 * from an operator.
 */
function readDescriptor(xml: string, role: string): { readonly entityId: string; readonly descriptor: XmlElement } {
  const root = readXml(xml.replace(/<!--[\s\S]*?-->/g, ''));
  const entityId = root.attributes.get('entityID');
  if (root.name !== 'EntityDescriptor' || root.namespace !== metadata || !entityId) throw new Error('no EntityDescriptor with an entityID');
  return { entityId, descriptor: onlyChild(root, metadata, role) };
}

export function readIdentityProvider(xml: string): SamlIdentityProvider {
  const { entityId, descriptor } = readDescriptor(xml, 'IDPSSODescriptor');
  const loginUrl = locationOf(descriptor, 'SingleSignOnService');
  if (loginUrl === null) throw new Error('no SingleSignOnService by HTTP-Redirect');
  const certificates = childrenOf(descriptor, metadata, 'KeyDescriptor')
    .filter(({ attributes }) => (attributes.get('use') ?? 'signing') === 'signing')
    .flatMap((key) => [...elementsOf(key)].filter(({ name, namespace }) => name === 'X509Certificate' && namespace === signatures))
    .map(({ text }) => text.replace(/\s+/g, ''));
  if (certificates.length === 0) throw new Error('no certificate to check signatures by');
  return { entityId, loginUrl, logoutUrl: locationOf(descriptor, 'SingleLogoutService'), certificates };
}

function locationOf(descriptor: XmlElement, service: string): string | null {
  const found = childrenOf(descriptor, metadata, service).find(({ attributes }) => attributes.get('Binding') === redirectBinding);
  return found?.attributes.get('Location') ?? null;
}

/** Reads the service's entity id from service provider metadata that were written for another server. */
export const readOwnEntityId = (xml: string): string => readDescriptor(xml, 'SPSSODescriptor').entityId;

/** The entity id and the addresses of the service, as a provider knows them. */
export interface SamlPlaces {
  readonly entityId: string;
  readonly consumer: string;
  readonly logout: string;
}

export function samlPlaces({ name, entityId }: SamlSettings, base: string): SamlPlaces {
  const at = `${base}/auth/login/${name}`;
  return { entityId: entityId ?? `${at}/metadata`, consumer: `${at}/acs`, logout: `${at}/logout` };
}

export function writeMetadata({ key }: SamlSettings, { entityId, consumer, logout }: SamlPlaces): string {
  const signing =
    key === null
      ? ''
      : `<KeyDescriptor use="signing"><KeyInfo xmlns="${signatures}"><X509Data><X509Certificate>${bareCertificate(key.certificate)}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`;
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<EntityDescriptor xmlns="${metadata}" entityID="${escapeXml(entityId)}">`,
    `<SPSSODescriptor protocolSupportEnumeration="${protocol}" AuthnRequestsSigned="${key !== null}" WantAssertionsSigned="true">`,
    signing,
    `<SingleLogoutService Binding="${redirectBinding}" Location="${escapeXml(logout)}"/>`,
    `<AssertionConsumerService Binding="${postBinding}" Location="${escapeXml(consumer)}" index="0" isDefault="true"/>`,
    `</SPSSODescriptor></EntityDescriptor>`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** PEM without the lines around it. */
const bareCertificate = (pem: string): string => pem.replace(/-----[A-Z ]+-----|\s+/g, '');
