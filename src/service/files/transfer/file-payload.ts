// The payload of a file item: the name, title and form values of an upload, and the checks for values that go into response headers.

import type { Caller } from '../../../core/access/view.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import { filesCollection } from './files-deps.js';

export type Payload = Readonly<Record<string, unknown>>;

/** Control and formatting characters, which can make a name look like another. */
const hidden = /[\p{Cc}\p{Cf}\p{Surrogate}]/gu;
const maxNameLength = 200;

/** The last segment of the client's path, without hidden characters and shortened; `file` if nothing is left. */
export function cleanFilename(filename: string): string {
  const last = filename.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? '';
  const name = last.replace(hidden, '').trim();
  const short = name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength - 12)}${name.slice(-12)}`;
  return short === '' || short === '.' || short === '..' ? 'file' : short;
}

/** The title for `summer-holiday_2.jpg` is `Summer Holiday 2`. */
export function titleOf(filename: string): string {
  const words = filename
    .replace(/\.[^.]*$/, '')
    .split(/[\s_-]+/)
    .filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || filename;
}

/** Form parts are texts; this converts one to the type of its field. */
export function readFormValue(caller: Caller, name: string, text: string): unknown {
  const type = caller.view.schema.collections.get(filesCollection)?.fields.get(name)?.type;
  if (text === 'null' || (text === '' && type !== 'string' && type !== 'text')) return null;
  if (type !== 'json' && !(type === 'csv' && text.startsWith('['))) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalidPayload(`The form field "${name}" has to be JSON.`);
  }
}

const token = "[!#$%&'*+.^_`|~A-Za-z0-9-]+";
const mediaType = new RegExp(`^${token}/${token}(?:[ \\t]*;[ \\t]*${token}=(?:${token}|"[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*"))*$`);

/** Whether the text is a media type as in a Content-Type header (RFC 9110). */
export const isMediaType = (text: string): boolean => mediaType.test(text);

/** Fields that responses copy into headers, and the values that a header can hold. */
const headerRules: Readonly<Record<string, { readonly fits: (text: string) => boolean; readonly rule: string }>> = {
  type: { fits: isMediaType, rule: 'has to be a media type such as image/png' },
  charset: { fits: (text) => new RegExp(`^${token}$`).test(text), rule: 'has to be the name of a character set' },
  filename_download: { fits: (text) => !/[\p{Cc}\u2028\u2029]/u.test(text), rule: 'must not hold line breaks or control characters' },
};

/** Refuses values that a response header cannot hold. */
export function checkHeaderValues(values: Iterable<readonly [string, unknown]>): void {
  for (const [name, value] of values) {
    const expected = Object.hasOwn(headerRules, name) ? headerRules[name] : undefined;
    if (expected !== undefined && typeof value === 'string' && !expected.fits(value)) throw invalidPayload(`"${name}" ${expected.rule}.`);
  }
}
