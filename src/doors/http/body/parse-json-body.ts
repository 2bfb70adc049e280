// Parses a JSON body, or refuses it with an error that says what to fix. Of a key given twice in one object the last one counts; the text
// is parsed only once, so that every check sees the same value.

import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidPayload, type ServiceError } from '../../../core/errors/service-error.js';
import { describeExcess, type Excess, isNestedTooDeeply, type JsonBounds, queryBounds } from '../../../core/util/json-nesting.js';
import { JsonPieces, type PieceOptions, pieceLength } from './json-pieces.js';
import { isList, LongList } from './long-list.js';

/** The length of `{},`. What is denser cannot be an item and is refused when it is read as one. */
const bytesOfEmptyItem = 3;

/** The densest useful list, `[1,2],[3,4]`, has one container in six bytes. */
const leastBytesPerContainer = 6;

/** BODY_LIMIT bounds the number of items; these bounds only refuse bodies that are hardly more than brackets. */
export const payloadBounds = (bodyLimit: number): JsonBounds => ({
  containers: Math.max(queryBounds.containers, Math.floor(bodyLimit / leastBytesPerContainer)),
  keys: Number.POSITIVE_INFINITY,
});

/** How long a body is parsed before the event loop gets a turn. */
const turnMs = 10;

/** A text that may contain something no payload may; only then every string of the value is checked. */
const suspicious = /__proto__|\\u(?:0000|005f|d[89a-f])/i;

/** Undefined for an empty body. With `listsInParts` a long list may be returned as a LongList. */
export async function parseJsonBody(bytes: Buffer, bounds: JsonBounds, listsInParts = false): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw invalidPayload('The body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  if (listsInParts && text.length > pieceLength && isList(text) && !mayExceed(text, bounds)) return new LongList(text, pieceRules(bounds));
  const value = text.length > pieceLength ? await parseInTurns(text, bounds) : parseShort(text);
  if (typeof value !== 'object' || value === null) throw invalidPayload('The body has to be a JSON object or array.');
  return value;
}

function parseShort(text: string): unknown {
  if (isNestedTooDeeply(text)) throw tooMuch('levels', queryBounds);
  return parse(text);
}

/** Whether the text is long enough to exceed a bound, which must be known before the first item is written. */
const mayExceed = (text: string, { containers, keys }: JsonBounds): boolean => text.length > Math.min(containers, keys) * bytesOfEmptyItem;

const pieceRules = (bounds: JsonBounds): PieceOptions => ({ bounds, parse, invalid, tooMuch: (excess) => tooMuch(excess, bounds) });

async function parseInTurns(text: string, bounds: JsonBounds): Promise<unknown> {
  const pieces = new JsonPieces(text, pieceRules(bounds));
  let startedAt = performance.now();
  while (pieces.next()) {
    if (performance.now() - startedAt < turnMs) continue;
    await nextTurn();
    startedAt = performance.now();
  }
  // Binding a value of this size takes long enough for a turn of its own.
  await nextTurn();
  return pieces.value();
}

function parse(text: string): unknown {
  const value = parseAny(text);
  if ((text.includes('__proto__') || text.includes('\\u')) && suspicious.test(text)) refuseBadText(value);
  return value;
}

function parseAny(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid();
  }
}

// The message of `JSON.parse` quotes parts of the body, which may be a password.
const invalid = (): ServiceError => invalidPayload('The body is not valid JSON.');

const tooMuch = (excess: Excess, bounds: JsonBounds): ServiceError => invalidPayload(`The body ${describeExcess(excess, bounds)}.`);

/** No vendor stores NUL or half a surrogate pair, and no field is called `__proto__`. The bound on nesting bounds the recursion. */
export function refuseBadText(value: unknown): void {
  if (typeof value === 'string') refuseBadString(value);
  else if (Array.isArray(value)) value.forEach(refuseBadText);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, entry] of Object.entries(value)) {
      if (key === '__proto__') throw invalidPayload('"__proto__" is not allowed as a key.');
      refuseBadString(key);
      refuseBadText(entry);
    }
  }
}

const loneSurrogate = /\p{Surrogate}/u;

function refuseBadString(text: string): void {
  if (text.includes('\0')) throw invalidPayload('Text must not contain the character U+0000.');
  if (loneSurrogate.test(text)) throw invalidPayload('Text must not contain half of a surrogate pair.');
}
