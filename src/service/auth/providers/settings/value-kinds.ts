// The kinds of values that only settings of providers have.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isLoopback } from '../../../../core/util/loopback.js';
import * as kinds from '../../../../core/util/setting-kinds.js';
import { readIdentityProvider, readOwnEntityId } from '../drivers/saml-metadata.js';
import type { SamlIdentityProvider } from './provider-settings.js';

export const withoutPrefix = (written: string): string => written.replace(/^(?:json|string|array):/, '');

const parseJson = (written: string): unknown => JSON.parse(withoutPrefix(written));

const entriesOf = (written: string): readonly (readonly [string, unknown])[] => {
  const value = parseJson(written);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('no object');
  return Object.entries(value);
};

const textOf = (value: unknown): string => {
  if (typeof value !== 'string') throw new Error('no text');
  return value;
};

export const mapping: kinds.Kind<ReadonlyMap<string, string>> = {
  parse: (written) => new Map(entriesOf(written).map(([group, role]) => [group, textOf(role)])),
  wanted: 'an object of JSON with the id of a role for each group',
};

export const listMapping: kinds.Kind<ReadonlyMap<string, readonly string[]>> = {
  parse: (written) => new Map(entriesOf(written).map(([group, policies]) => [group, [policies].flat().map(textOf)])),
  wanted: 'an object of JSON with the ids of policies for each group',
};

export const jsonObject: kinds.Kind<Readonly<Record<string, unknown>>> = {
  parse: (written) => Object.fromEntries(entriesOf(written)),
  wanted: 'an object of JSON',
};

export const attributeName: kinds.Kind<string> = {
  parse: (written) => {
    if (!/^[a-z][a-z0-9.;-]*$/i.test(written)) throw new Error('no name');
    return written;
  },
  wanted: 'the name of an attribute',
};

export const textsByName: kinds.Kind<Readonly<Record<string, string>>> = {
  parse: (written) =>
    written.startsWith('{') || written.startsWith('json:')
      ? Object.fromEntries(entriesOf(written).map(([name, value]) => [name, String(value)]))
      : Object.fromEntries(new URLSearchParams(withoutPrefix(written))),
  wanted: 'an object of JSON, or a=b&c=d',
};

export const listOrJson: kinds.Kind<readonly string[]> = {
  parse: (written) => (/^(?:json:|\[)/.test(written) ? [parseJson(written)].flat().map(textOf) : kinds.list.parse(withoutPrefix(written))),
  wanted: 'a list separated by commas',
};

export const keyList: kinds.Kind<readonly Readonly<Record<string, unknown>>[]> = {
  parse: (written) =>
    [parseJson(written)].flat().map((key) => {
      if (typeof key !== 'object' || key === null) throw new Error('no key');
      return key as Readonly<Record<string, unknown>>;
    }),
  wanted: 'a list of JSON Web Keys',
};

export const milliseconds: kinds.Kind<number> = {
  parse: (written) => (/^\d+$/.test(written) ? kinds.integer(1, 60_000).parse(written) : kinds.duration.parse(written)),
  wanted: 'a number of milliseconds up to 60000, or a duration such as 5s',
};

/** Secrets travel there: HTTPS, except to this machine. */
export const endpoint: kinds.Kind<string> = {
  parse: (written) => {
    if (!isSafe(written)) throw new Error('not safe');
    return written;
  },
  wanted: 'an address beginning with https:// (http:// on this machine only)',
};

export const isSafe = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
};

export const identityProvider: kinds.Kind<SamlIdentityProvider> = {
  parse: (written) => {
    const found = readIdentityProvider(withoutPrefix(written));
    for (const certificate of found.certificates) new X509Certificate(Buffer.from(certificate, 'base64'));
    if (![found.loginUrl, found.logoutUrl ?? found.loginUrl].every(isSafe)) throw new Error('not safe');
    return found;
  },
  wanted:
    'the metadata of a SAML identity provider: one EntityDescriptor with a certificate and a SingleSignOnService by HTTP-Redirect at https:// (http:// on this machine only)',
};

export const ownEntityId: kinds.Kind<string> = {
  parse: (written) => readOwnEntityId(withoutPrefix(written)),
  wanted: 'the metadata of a SAML service provider',
};

/** A file of environment variables may write line breaks as \\n. */
const withLines = (written: string): string => withoutPrefix(written).replaceAll('\\n', '\n').trim();

export const pemKey: kinds.Kind<string> = {
  parse: (written) => {
    createPrivateKey(withLines(written));
    return withLines(written);
  },
  wanted: 'a private key in PEM',
};

export const pemCertificate: kinds.Kind<string> = {
  parse: (written) => new X509Certificate(withLines(written)).toString(),
  wanted: 'a certificate in PEM',
};
