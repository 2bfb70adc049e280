// JSON texts that may be invalid.

/** The value, or undefined if the text is not JSON. Bound the text before (json-nesting.ts) if it comes from outside. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
