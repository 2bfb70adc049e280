// JSON texts with keys in them that the database may not have generated yet.

import type { ObservedKey, ObservedPart } from '../../../core/engine/work/run-row.js';
import { PendingKey, PendingText } from '../../../core/sql/pending-key.js';

export type Parts = readonly (string | PendingKey)[];

export const partsOf = (document: string | PendingText): Parts => (typeof document === 'string' ? [document] : document.parts);

export const listOf = (keys: readonly ObservedKey[]): Parts =>
  keys.flatMap((key, index) => (index === 0 ? keyParts(key) : [',', ...keyParts(key)]));

export function keyParts(key: ObservedKey): Parts {
  if (!Array.isArray(key)) return [keyPart(key as ObservedPart)];
  return ['[', ...(key as readonly ObservedPart[]).flatMap((part, index) => (index === 0 ? [keyPart(part)] : [',', keyPart(part)])), ']'];
}

const keyPart = (part: ObservedPart): string | PendingKey => (part instanceof PendingKey ? part : JSON.stringify(part));

export const textOf = (parts: Parts): string | PendingText =>
  parts.some((part) => part instanceof PendingKey) ? new PendingText(parts) : parts.join('');
