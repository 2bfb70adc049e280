// Parses a pattern of a validation rule: JavaScript's syntax without back references and lookbehind, which cannot be matched in linear
// time.

export type CharacterTest = (character: string) => boolean;

export type RegexNode =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'sequence'; readonly nodes: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly nodes: readonly RegexNode[] }
  /** `most` null: unbounded. */
  | { readonly kind: 'repeat'; readonly node: RegexNode; readonly least: number; readonly most: number | null }
  | { readonly kind: 'look'; readonly node: RegexNode; readonly negative: boolean }
  | { readonly kind: 'edge'; readonly edge: 'start' | 'end' | 'word' | 'inside' };

interface Reader {
  readonly source: string;
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
  at: number;
  depth: number;
}

const maxDepth = 50;
const quantifier = /[*+?]|\{(\d{1,4})(?:(,)(\d{0,4}))?\}/y;
const characterClass = /\[(?:\\.|[^\]\\])*\]/sy;
const escaped = /\\(?:[pP]\{[\w=]+\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[^1-9kc])/suy;
const groupStart = /\((?:\?:|\?<[A-Za-z_]\w*>|(?!\?))/y;

/** Returns null for an invalid pattern, or one that cannot be matched safely. */
export function parseRegex(source: string, flags: string): RegexNode | null {
  const reader: Reader = { source, ignoreCase: flags.includes('i'), dotAll: flags.includes('s'), at: 0, depth: 0 };
  try {
    const node = readChoice(reader);
    return reader.at === source.length ? node : null;
  } catch {
    return null;
  }
}

function readChoice(reader: Reader): RegexNode {
  reader.depth += 1;
  if (reader.depth > maxDepth) throw new SyntaxError('nested too deeply');
  const nodes = [readSequence(reader)];
  while (reader.source[reader.at] === '|') {
    reader.at += 1;
    nodes.push(readSequence(reader));
  }
  reader.depth -= 1;
  return { kind: 'choice', nodes };
}

function readSequence(reader: Reader): RegexNode {
  const nodes: RegexNode[] = [];
  while (reader.at < reader.source.length && reader.source[reader.at] !== '|' && reader.source[reader.at] !== ')') {
    nodes.push(readRepeat(reader, readAtom(reader)));
  }
  return { kind: 'sequence', nodes };
}

function readRepeat(reader: Reader, node: RegexNode): RegexNode {
  const match = take(reader, quantifier);
  if (match === null) return node;
  if (reader.source[reader.at] === '?') reader.at += 1;
  const [sign, least, comma, most] = match;
  if (least === undefined) return { kind: 'repeat', node, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : null };
  return { kind: 'repeat', node, least: Number(least), most: comma === undefined ? Number(least) : most ? Number(most) : null };
}

function readAtom(reader: Reader): RegexNode {
  const { source, at } = reader;
  if (source.startsWith('(?=', at) || source.startsWith('(?!', at)) {
    reader.at += 3;
    return { kind: 'look', node: readGroup(reader), negative: source[at + 2] === '!' };
  }
  if (take(reader, groupStart) !== null) return readGroup(reader);
  const edge = takeEdge(reader);
  return edge ?? readCharacter(reader);
}

function readGroup(reader: Reader): RegexNode {
  const node = readChoice(reader);
  if (reader.source[reader.at] !== ')') throw new SyntaxError('a group is not closed');
  reader.at += 1;
  return node;
}

function takeEdge(reader: Reader): RegexNode | null {
  const two = reader.source.slice(reader.at, reader.at + 2);
  const edge = two[0] === '^' ? 'start' : two[0] === '$' ? 'end' : two === '\\b' ? 'word' : two === '\\B' ? 'inside' : null;
  if (edge === null) return null;
  reader.at += two[0] === '\\' ? 2 : 1;
  return { kind: 'edge', edge };
}

function readCharacter(reader: Reader): RegexNode {
  const character = String.fromCodePoint(reader.source.codePointAt(reader.at) ?? 0);
  if (character === '[' || character === '\\') {
    const match = take(reader, character === '[' ? characterClass : escaped);
    if (match === null) throw new SyntaxError('not a character');
    return { kind: 'character', test: testOf(match[0], reader.ignoreCase) };
  }
  if ('()*+?'.includes(character)) throw new SyntaxError('nothing to repeat or close');
  reader.at += character.length;
  if (character === '.') return { kind: 'character', test: reader.dotAll ? () => true : (other) => !'\n\r\u2028\u2029'.includes(other) };
  if (!reader.ignoreCase) return { kind: 'character', test: (other) => other === character };
  return { kind: 'character', test: (other) => other.toLowerCase() === character.toLowerCase() };
}

/**
 * Matching a single character, the engine's own regular expressions are safe. Escapes of the lenient mode (`\-`) fall back to that mode.
 */
function testOf(source: string, ignoreCase: boolean): CharacterTest {
  const pattern = compile(source, ignoreCase ? 'iu' : 'u') ?? new RegExp(`^${source}$`, ignoreCase ? 'i' : '');
  return (character) => pattern.test(character);
}

function compile(source: string, flags: string): RegExp | null {
  try {
    return new RegExp(`^${source}$`, flags);
  } catch {
    return null;
  }
}

function take(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at;
  const match = pattern.exec(reader.source);
  if (match !== null) reader.at = pattern.lastIndex;
  return match;
}
