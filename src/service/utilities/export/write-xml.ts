// XML: `<data>` with one `<item>` each; fields are elements, entries of lists are again `<item>`. What cannot be an element's name is told
// in an attribute, and null is marked, because an empty text is something else.

import type { Batches } from './batches.js';

export async function* writeXml(batches: Batches): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<data>\n';
  for await (const batch of batches) yield batch.map((text) => `${writeElement('item', JSON.parse(text))}\n`).join('');
  yield '</data>\n';
}

const elementName = /^[A-Za-z_][\w.-]*$/;

function writeElement(name: string, value: unknown): string {
  const isName = elementName.test(name) && !/^xml/i.test(name);
  const tag = isName ? name : 'field';
  const start = isName ? tag : `${tag} name="${escapeText(name)}"`;
  if (value === null) return `<${start} null="true"/>`;
  return `<${start}>${writeContent(value)}</${tag}>`;
}

function writeContent(value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => writeElement('item', entry)).join('');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, entry]) => writeElement(key, entry))
      .join('');
  return escapeText(String(value));
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };

/** Control characters have no place in XML, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unfit = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"\r]/g, (character) => escapes[character] ?? character).replaceAll(unfit, '\uFFFD');
