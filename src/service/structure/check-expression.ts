// The expression of a generated column or of a default goes into a statement as it is, so it must be one complete expression and nothing
// after it.

import { invalidPayload } from '../../core/errors/service-error.js';

/** Outside of quotes: what could begin a comment, a statement or a quotation that vendors read differently. */
const refused = /;|--|\/\*|\*\/|#|\$|[[\]]/;
const quoted = /'[^']*'|"[^"]*"|`[^`]*`/g;

export function checkExpression(text: string): string {
  const bare = text.replace(quoted, '_');
  if (text.trim() === '' || /[\\\0]/.test(text) || refused.test(bare) || /['"`]/.test(bare) || !isBalanced(bare)) {
    throw invalidPayload('An expression must be one complete SQL expression without comments, escapes and semicolons.');
  }
  return text;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
