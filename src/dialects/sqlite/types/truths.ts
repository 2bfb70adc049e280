// Booleans that other programs stored as words: Rails wrote 't' and 'f' for years. A value is read as what it means; a new value is written with
// the words of the column. Introspection finds them (catalogue/sample-forms.ts).

/** The words of a column. `mixed`: it has other values as well, numbers or other words. */
export interface TruthWords {
  readonly yes: string;
  readonly no: string;
  readonly mixed: boolean;
}

const pairs = [
  ['t', 'f'],
  ['true', 'false'],
  ['yes', 'no'],
  ['y', 'n'],
  ['on', 'off'],
] as const;

/** The words that mean true, and those that mean false, in lower case. */
export const truthWords = { yes: pairs.map(([yes]) => yes), no: pairs.map(([, no]) => no) } as const;

const maxWord = Math.max(...pairs.flat().map((word) => word.length));

/** The words of a column, by samples of its values; null for 0 and 1 only, which is the service's own form. */
export function findWords(values: readonly unknown[]): TruthWords | null {
  const known = values.filter((value) => value !== null);
  if (known.every((value) => value === 0 || value === 1)) return null;
  const words = known.flatMap((value) => (typeof value === 'string' && value.length <= maxWord ? [wordsOf(value)] : []));
  const [first] = words.filter((word) => word !== null);
  if (first === undefined) return { yes: '1', no: '0', mixed: true };
  return { ...first, mixed: words.length < known.length || words.some((word) => word?.yes !== first.yes) };
}

function wordsOf(value: string): Pick<TruthWords, 'yes' | 'no'> | null {
  const lower = value.toLowerCase();
  const pair = pairs.find((words) => words.some((word) => word === lower));
  if (pair === undefined) return null;
  const inCase = (word: string): string => {
    if (value === lower) return word;
    return value === value.toUpperCase() && (value.length > 1 || word.length === 1)
      ? word.toUpperCase()
      : word[0]?.toUpperCase() + word.slice(1);
  };
  const [yes, no] = pair.map(inCase);
  return yes === undefined || no === undefined ? null : { yes, no };
}
