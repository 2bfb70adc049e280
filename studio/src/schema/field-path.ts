// Names of fields in the notation of the API: `author.name`, and a backslash before a sign that would mean something there (`a\,b`). Pure.

const special = /[.,:()\\]|^[-_* ]|[* ]$/g;

/** A name so that a query takes it as one plain name. */
export const escapeName = (name: string): string => name.replace(special, (sign) => `\\${sign}`);

const unescapeName = (text: string): string => text.replace(/\\(.)/gs, '$1');

/** The names of a path. */
export const splitPath = (path: string): readonly string[] => splitAt(path, '.').map(unescapeName);

/** The paths of a list, still in the notation of the API. */
export const splitNames = (list: string): readonly string[] => splitAt(list, ',').filter((name) => name !== '');

export const joinPath = (names: readonly string[]): string => names.map(escapeName).join('.');

/** The name of a step of a filter, which is one whether its signs are escaped or not. */
export const nameOfStep = (step: string, isName: (name: string) => boolean): string => (isName(step) ? step : unescapeName(step));

function splitAt(text: string, separator: string): readonly string[] {
  const parts = [''];
  for (const [sign] of text.matchAll(/\\.|[^\\]|\\$/gs)) {
    if (sign === separator) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts;
}
