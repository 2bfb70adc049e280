// Whether a text is a time table as schedules have it: five fields, or six with seconds first.

const names = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat';
const value = `(?:\\d{1,2}|${names})`;
const field = new RegExp(`^(?:\\*|\\?|${value}(?:-${value})?)(?:/\\d{1,2})?(?:#\\d|L)?$`, 'i');
const bounds = [
  [0, 59],
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

export function isCron(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > 200) return false;
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6) return false;
  const limits = fields.length === 6 ? bounds : bounds.slice(1);
  return fields.every((list, index) => {
    const [least = 0, most = 0] = limits[index] ?? [];
    return list.split(',').every((entry) => field.test(entry) && numbersOf(entry).every((number) => number >= least && number <= most));
  });
}

/** Those before the step. */
const numbersOf = (entry: string): readonly number[] => (entry.split('/')[0] ?? '').match(/\d+(?!\d)/g)?.map(Number) ?? [];
