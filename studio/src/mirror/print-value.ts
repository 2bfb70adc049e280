// Values as JavaScript and as GraphQL write them: names without quotes where the language allows it, short values on one line.

export interface Notation {
  readonly indent: string;
  readonly name: (name: string) => string;
  readonly text: (text: string) => string;
}

const longest = 100;

export function printValue(value: unknown, notation: Notation, indent = ''): string {
  const parts = partsOf(value, notation);
  if (parts === null) return typeof value === 'string' ? notation.text(value) : (JSON.stringify(value) ?? 'null');
  const { open, entries, close } = parts;
  if (entries.length === 0) return `${open}${close}`;
  const gap = open === '[' ? '' : ' ';
  const line = `${open}${gap}${entries.map(({ name, inner }) => name + printValue(inner, notation, indent)).join(', ')}${gap}${close}`;
  if (line.length + indent.length <= longest && !line.includes('\n')) return line;
  const deeper = indent + notation.indent;
  const lines = entries.map(({ name, inner }) => `${deeper}${name}${printValue(inner, notation, deeper)},`);
  return `${open}\n${lines.join('\n')}\n${indent}${close}`;
}

interface Entry {
  readonly name: string;
  readonly inner: unknown;
}

function partsOf(
  value: unknown,
  notation: Notation,
): { readonly open: string; readonly entries: readonly Entry[]; readonly close: string } | null {
  if (Array.isArray(value)) return { open: '[', entries: value.map((inner) => ({ name: '', inner })), close: ']' };
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return { open: '{', entries: entries.map(([name, inner]) => ({ name: `${notation.name(name)}: `, inner })), close: '}' };
}
