// A column inside an index. Long text is indexed by its beginning; MariaDB makes a unique key over the whole of it by itself.

import { quoteName } from './quote.js';

const longestKey = 768;
const textPrefix = 255;

export function writeKeyPart(column: string, sqlType: string | null, unique: boolean): string {
  const prefix = unique || sqlType === null ? null : prefixOf(sqlType);
  return prefix === null ? quoteName(column) : `${quoteName(column)}(${prefix})`;
}

function prefixOf(sqlType: string): number | null {
  if (/^(?:json|\w*text|\w*blob)\b/.test(sqlType)) return textPrefix;
  const length = Number(/^varchar\((\d+)\)/.exec(sqlType)?.[1] ?? 0);
  return length > longestKey ? longestKey : null;
}
