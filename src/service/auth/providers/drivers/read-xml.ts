// XML as messages of logins need it, and no more: elements, attributes and text. Comments, CDATA, processing instructions and document types
// are refused. Parsers disagree about them, and forged messages rely on it; document types can also fetch files and grow without an end.

export interface XmlElement {
  /** Without its prefix. */
  readonly name: string;
  readonly namespace: string;
  /** By their names as written, prefix included. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The text of the element itself, without that of its children. */
  readonly text: string;
}

const maxDepth = 32;
const maxElements = 10_000;
const maxAttributes = 32;

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  readonly qualifiedName: string;
  readonly prefixes: ReadonlyMap<string, string>;
  text: string;
}

/** One tag. Attribute values contain no `<`, so a match ends at the next tag at the latest and matching is linear. */
const tag = /<(?:\/([A-Za-z_][\w.:-]*)\s*|([A-Za-z_][\w.:-]*)((?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?))>/y;
const attribute = /([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Throws for everything that is not XML of this kind, within bounds. */
export function readXml(source: string): XmlElement {
  const text = source.replace(/^\uFEFF?(?:<\?xml\s[^<>?]*\?>)?\s*/, '').trimEnd();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  if (/[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/.test(text)) throw new Error('a character that XML does not have');
  const open: OpenElement[] = [];
  let root: XmlElement | null = null;
  let count = 0;
  for (let at = 0; at < text.length; at = tag.lastIndex) {
    const start = text.indexOf('<', at);
    const parent = open.at(-1);
    const between = text.slice(at, start < 0 ? text.length : start);
    if (parent !== undefined) parent.text += decode(between);
    else if (between !== '' || root !== null) throw new Error('more than one element');
    tag.lastIndex = start;
    const [, closed, opened, attributes = '', isEmpty] = (start < 0 ? null : tag.exec(text)) ?? [];
    if (closed === undefined && opened === undefined) throw new Error('neither elements nor text, or not well-formed');
    if (closed !== undefined) {
      if (parent?.qualifiedName !== closed) throw new Error(`</${closed}> closes another element`);
      open.pop();
      continue;
    }
    count += 1;
    if (open.length >= maxDepth || count > maxElements) throw new Error('more elements than a message has');
    const element = openElement(opened ?? '', attributes, parent);
    if (parent === undefined) root = element;
    else parent.children.push(element);
    if (isEmpty === '') open.push(element);
  }
  if (root === null || open.length > 0) throw new Error('an element is not closed');
  return root;
}

function openElement(qualifiedName: string, written: string, parent: OpenElement | undefined): OpenElement {
  const attributes = new Map<string, string>();
  const prefixes = new Map(parent?.prefixes ?? [['xml', xmlNamespace]]);
  for (const [, name = '', double, single = ''] of written.matchAll(attribute)) {
    if (attributes.has(name) || attributes.size >= maxAttributes) throw new Error(`the attribute ${name} twice, or too many of them`);
    const value = decode(double ?? single);
    attributes.set(name, value);
    if (name === 'xmlns') prefixes.set('', value);
    else if (name.startsWith('xmlns:')) prefixes.set(name.slice('xmlns:'.length), value);
  }
  const [prefix = '', name = ''] = qualifiedName.includes(':') ? qualifiedName.split(':') : ['', qualifiedName];
  const namespace = prefixes.get(prefix) ?? (prefix === '' ? '' : undefined);
  if (namespace === undefined) throw new Error(`the prefix ${prefix} is not declared`);
  return { name, namespace, attributes, children: [], text: '', qualifiedName, prefixes };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decode = (text: string): string =>
  text.includes('&') ? text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+))?;?/gi, (found, ...parts) => decodeEntity(found, parts)) : text;

function decodeEntity(found: string, [decimal, hexadecimal, name]: readonly (string | undefined)[]): string {
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  const value = name === undefined ? codePoint(code) : entities[name];
  if (value === undefined || !found.endsWith(';')) throw new Error(`${found} is not a known entity`);
  return value;
}

const codePoint = (code: number): string | undefined =>
  code >= 0x20 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff)
    ? String.fromCodePoint(code)
    : [9, 10, 13].includes(code)
      ? String.fromCharCode(code)
      : undefined;

export const childrenOf = ({ children }: XmlElement, namespace: string, name: string): readonly XmlElement[] =>
  children.filter((child) => child.name === name && child.namespace === namespace);

/** Throws unless there is exactly one. */
export function onlyChild(element: XmlElement, namespace: string, name: string): XmlElement {
  const [child, ...others] = childrenOf(element, namespace, name);
  if (child === undefined || others.length > 0)
    throw new Error(`${element.name} has ${others.length === 0 ? 'no' : 'more than one'} ${name}`);
  return child;
}

/** The element and everything in it. */
export function* elementsOf(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of element.children) yield* elementsOf(child);
}
