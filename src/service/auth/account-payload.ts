// Bodies of the account endpoints: what is missing or of the wrong kind is told by its key.

import { invalidPayload } from '../../core/errors/service-error.js';
import { isEmail, normaliseEmail } from './email.js';

export type Body = Readonly<Record<string, unknown>>;

/** A password longer than this is no password but a load. */
const longestText = 4096;

export function readBody(body: unknown): Body {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw invalidPayload('The body has to be an object.');
  return { ...body };
}

export function readText(body: Body, key: string, maxLength = longestText): string {
  const value = readOptionalText(body, key, maxLength);
  if (value === null || value === '') throw invalidPayload(`"${key}" is required.`);
  return value;
}

export function readOptionalText(body: Body, key: string, maxLength = longestText): string | null {
  const value = body[key];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw invalidPayload(`"${key}" has to be text.`);
  if (value.length > maxLength) throw invalidPayload(`"${key}" is longer than ${maxLength} characters.`);
  return value;
}

export function readEmail(body: Body, key: string): string {
  const email = normaliseEmail(readText(body, key));
  if (!isEmail(email)) throw invalidPayload(`"${key}" has to be an email address.`);
  return email;
}

const sessionModes = ['json', 'cookie', 'session'] as const;
export type SessionMode = (typeof sessionModes)[number];

export function readMode(body: Body, standard: SessionMode): SessionMode {
  const value = body['mode'] ?? standard;
  const mode = sessionModes.find((name) => name === value);
  if (mode === undefined) throw invalidPayload(`"mode" has to be one of ${sessionModes.join(', ')}.`);
  return mode;
}
