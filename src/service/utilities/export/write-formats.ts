// Exports as JSON, YAML and XML. Each function gets the JSON texts of the items batch by batch and yields the text of the file, so that no
// export is held in memory.

/** The JSON texts of the items, some at a time. */
export type Batches = AsyncIterable<readonly string[]>;

/** The list without a `data` envelope; the items' texts are copied as the database wrote them. */
export async function* writeJson(batches: Batches): AsyncGenerator<string> {
  let separator = '[';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + batch.join(',');
    separator = ',';
  }
  yield separator === ',' ? ']' : '[]';
}

/** Each item is written as a list of one; these lists one after the other are the whole list. */
export async function* writeYaml(batches: Batches): AsyncGenerator<string> {
  const { stringify } = await import('yaml');
  let isEmpty = true;
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    isEmpty = false;
    yield batch.map((text) => stringify([JSON.parse(text)], { lineWidth: 0, aliasDuplicateObjects: false })).join('');
  }
  if (isEmpty) yield '[]\n';
}

/**
 * `<data>` with one `<item>` per item. Fields are elements, entries of lists again `<item>`. A name that cannot be an element's becomes an
 * attribute of `<field>`; null has the attribute `null`, which tells it from an empty text.
 */
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

/** Characters that XML 1.0 cannot hold, even escaped: the C0 controls except tab, line feed and carriage return, and two noncharacters. */
const unfit = /(?![\x7f-\x9f])[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu;

const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"\r]/g, (character) => escapes[character] ?? character).replaceAll(unfit, '\uFFFD');
