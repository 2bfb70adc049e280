// Escapes in names: a backslash before a character of the query grammar makes that character part of the name (`items\.dot`, `a\,b`).
// `maskEscapes` replaces each escaped character by a placeholder before the grammar is applied; `unmaskEscapes` restores it in the result.

/**
 * The characters that can be escaped. The placeholder of each is the noncharacter at the same position from U+FDD0 on; Unicode never
 * assigns those code points.
 */
const escapable = '.,:()*-_\\ ';
const firstPlaceholder = 0xfdd0;

const escaped = /\\([.,:()*\-_\\ ])/g;
const placeholder = /[\ufdd0-\ufdd9]/g;
const special = /[.,:()\\]|^[-_* ]|[* ]$/g;

/** Replaces escaped characters by placeholders that no parser looks for; `unmaskEscapes` reverses it. */
export const maskEscapes = (text: string): string =>
  text.includes('\\')
    ? text.replace(escaped, (_, character: string) => String.fromCharCode(firstPlaceholder + escapable.indexOf(character)))
    : text;

export const unmaskEscapes = (name: string): string =>
  name.replace(placeholder, (character) => escapable.charAt(character.charCodeAt(0) - firstPlaceholder));

/** Writes a name so that a query parses it back as one plain name. */
export const escapeName = (name: string): string => name.replace(special, (character) => `\\${character}`);
