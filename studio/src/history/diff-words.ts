// What changed between two texts, word by word: the longest common sequence stays, the rest was removed or added. Pure.

export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Longer texts are shown as wholly replaced: the comparison takes time and memory by the product of their lengths. */
const mostWords = 1500;

export function diffWords(before: string, after: string): readonly DiffPart[] {
  if (before === after) return before === '' ? [] : [{ kind: 'same', text: before }];
  const [old, now] = [wordsOf(before), wordsOf(after)];
  if (old.length > mostWords || now.length > mostWords) return joined([part('removed', before), part('added', after)]);
  return joined(walk(old, now, commonLengths(old, now)));
}

const wordsOf = (text: string): readonly string[] => text.match(/\s+|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? [];
const part = (kind: DiffPart['kind'], text: string): DiffPart => ({ kind, text });

/** At `[i][j]`, how many words the ends of both texts from i and j have in common. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly Uint16Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--) {
    const [row, below] = [rows[i], rows[i + 1]];
    if (row === undefined || below === undefined) continue;
    for (let j = now.length - 1; j >= 0; j--)
      row[j] = old[i] === now[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
  }
  return rows;
}

function walk(old: readonly string[], now: readonly string[], lengths: readonly Uint16Array[]): readonly DiffPart[] {
  const parts: DiffPart[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [one, other] = [old[i], now[j]];
    if (one !== undefined && one === other) {
      parts.push(part('same', one));
      i++;
      j++;
    } else if (other === undefined || (one !== undefined && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) {
      parts.push(part('removed', one ?? ''));
      i++;
    } else {
      parts.push(part('added', other));
      j++;
    }
  }
  return parts;
}

/** Neighbours of one kind as one part. */
function joined(parts: readonly DiffPart[]): readonly DiffPart[] {
  const list: DiffPart[] = [];
  for (const each of parts.filter(({ text }) => text !== '')) {
    const last = list.at(-1);
    if (last?.kind === each.kind) list[list.length - 1] = part(each.kind, last.text + each.text);
    else list.push(each);
  }
  return list;
}
