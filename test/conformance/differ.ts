// Compares an answer with what was recorded. Texts such as "<uuid>" match any value of that kind; "..." allows more keys;
// {"<unordered>": […]} ignores order; {"<contains>": […]} asks for at least these.

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const date = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

type Values = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

const matchers: Readonly<Record<string, (value: unknown) => boolean>> = {
  '<any>': (value) => value !== undefined,
  '<string>': (value) => typeof value === 'string',
  '<nonempty>': (value) => (typeof value === 'string' || Array.isArray(value)) && value.length > 0,
  '<int>': (value) => Number.isInteger(value),
  '<number>': (value) => typeof value === 'number',
  '<bool>': (value) => typeof value === 'boolean',
  '<uuid>': (value) => typeof value === 'string' && uuid.test(value),
  '<date>': (value) => typeof value === 'string' && date.test(value),
  '<array>': (value) => Array.isArray(value),
  '<object>': isObject,
  '<absent>': (value) => value === undefined,
};

/** The first difference in words; null when there is none. */
export function differ(expected: unknown, actual: unknown, path = '$'): string | null {
  const matcher = typeof expected === 'string' && Object.hasOwn(matchers, expected) ? matchers[expected] : undefined;
  if (matcher !== undefined) return matcher(actual) ? null : `${path}: wanted ${expected}, got ${show(actual)}`;
  if (Array.isArray(expected)) return differList(expected, actual, path);
  if (!isObject(expected)) return Object.is(expected, actual) ? null : `${path}: wanted ${show(expected)}, got ${show(actual)}`;
  if (Array.isArray(expected['<unordered>'])) return differSet(expected['<unordered>'], actual, path, true);
  if (Array.isArray(expected['<contains>'])) return differSet(expected['<contains>'], actual, path, false);
  return differObject(expected, actual, path);
}

function differObject(expected: Values, actual: unknown, path: string): string | null {
  if (!isObject(actual)) return `${path}: wanted an object, got ${show(actual)}`;
  for (const key of Object.keys(expected).filter((name) => name !== '...')) {
    const found = differ(expected[key], actual[key], `${path}.${key}`);
    if (found !== null) return found;
  }
  const extra = '...' in expected ? undefined : Object.keys(actual).find((key) => !(key in expected));
  return extra === undefined ? null : `${path}.${extra}: not wanted, got ${show(actual[extra])}`;
}

function differList(expected: readonly unknown[], actual: unknown, path: string): string | null {
  if (!Array.isArray(actual)) return `${path}: wanted an array, got ${show(actual)}`;
  if (expected.length !== actual.length) return `${path}: wanted ${expected.length} entries, got ${actual.length}: ${show(actual)}`;
  for (const [at, entry] of expected.entries()) {
    const found = differ(entry, actual[at], `${path}[${at}]`);
    if (found !== null) return found;
  }
  return null;
}

function differSet(wanted: readonly unknown[], actual: unknown, path: string, exact: boolean): string | null {
  if (!Array.isArray(actual)) return `${path}: wanted an array, got ${show(actual)}`;
  if (exact && wanted.length !== actual.length) return `${path}: wanted ${wanted.length} entries, got ${actual.length}: ${show(actual)}`;
  const left = [...actual];
  for (const entry of wanted) {
    const at = left.findIndex((candidate) => differ(entry, candidate) === null);
    if (at < 0) return `${path}: no entry like ${show(entry)} in ${show(actual)}`;
    left.splice(at, 1);
  }
  return null;
}

export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
