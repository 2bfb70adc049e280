// What a provider says about a user, in the names that the settings give to it.

import { isPlainObject } from '../../../../core/util/plain-object.js';
import { IdentityRefused, type ProvedIdentity } from '../provider.js';
import type { RedirectProviderSettings } from '../settings/provider-settings.js';

export type Claims = Readonly<Record<string, unknown>>;

/**
 * `documents`: what the provider has said about one user, a later document over an earlier one. If users are identified by their address,
 * the provider must call it verified, or the identity is refused. SAML has no such claim: there the provider of an organisation chooses the
 * attribute that identifies its users, and signs it.
 */
export function readClaims(
  settings: RedirectProviderSettings,
  issuer: string,
  documents: readonly Claims[],
  token: string | null,
): ProvedIdentity {
  const { identifierKey, emailKey, firstNameKey, lastNameKey, groupClaim } = settings;
  const claims: Claims = Object.assign({}, ...documents);
  const subject = claimAt(claims, identifierKey);
  // JSON.parse has rounded larger numbers, so two users could get the same subject.
  if (typeof subject === 'number' ? !Number.isSafeInteger(subject) : typeof subject !== 'string' || subject === '')
    throw new IdentityRefused(`the provider says nothing under "${identifierKey}", which identifies users, or a number that is too large`);
  if (settings.driver !== 'saml' && (identifierKey === emailKey || identifierKey === 'email') && !isVouchedFor(documents, subject))
    throw new IdentityRefused(`"${identifierKey}" identifies users, and the provider does not say that the address is verified`);
  const email = textOf(claimAt(claims, emailKey));
  return {
    issuer,
    subject: identifierKey === emailKey ? String(subject).toLowerCase() : String(subject),
    email,
    emailVerified: isVouchedFor(documents, email),
    firstName: textOf(claimAt(claims, firstNameKey)),
    lastName: textOf(claimAt(claims, lastNameKey)),
    groups: groupsOf(claimAt(claims, groupClaim)),
    token,
    session: null,
  };
}

/**
 * Whether the provider calls this very address verified. `email_verified` is about the `email` beside it: not about a user name that looks
 * like an address, nor about the `email` of another document. A document that does not call the same address verified outweighs one that does.
 */
function isVouchedFor(documents: readonly Claims[], address: unknown): boolean {
  const said = documents.filter((document) => document['email'] === address && Object.hasOwn(document, 'email_verified'));
  return said.length > 0 && said.every(({ email_verified: verified }) => verified === true || verified === 'true');
}

/** A name may be a path into what the provider nests: `data.username`. A claim that has the dots in its own name comes first. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let at: unknown = claims;
  for (const part of name.split('.')) at = isPlainObject(at) && Object.hasOwn(at, part) ? at[part] : undefined;
  return at;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function groupsOf(value: unknown): readonly string[] | null {
  if (value === undefined || value === null) return null;
  return [value].flat().filter((entry) => typeof entry === 'string');
}
