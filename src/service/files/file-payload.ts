// What an upload says of its file, as the payload of a new item or of a change.

import type { Caller } from '../../core/access/view.js';
import { invalidPayload } from '../../core/errors/service-error.js';
import { filesCollection } from './files-context.js';

export type Payload = Readonly<Record<string, unknown>>;

/** Formatting characters would let a name look like another. */
const hidden = /[\p{Cc}\p{Cf}\p{Surrogate}]/gu;
const maxNameLength = 200;

/** The last part of whatever path it came with, shown as it is and kept short. */
export function cleanFilename(filename: string): string {
  const last = filename.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? '';
  const name = last.replace(hidden, '').trim();
  const short = name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength - 12)}${name.slice(-12)}`;
  return short === '' || short === '.' || short === '..' ? 'file' : short;
}

/** `summer-holiday_2.jpg` is titled `Summer Holiday 2`. */
export function titleOf(filename: string): string {
  const words = filename
    .replace(/\.[^.]*$/, '')
    .split(/[\s_-]+/)
    .filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || filename;
}

/** A form carries texts; fields of other types are read from them. */
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
