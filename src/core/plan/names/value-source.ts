// Where the value of a parameter comes from when the statement runs: the literals of the request, a stored rule, a payload, or one element
// of these (the bounds of a range). The source also determines whose rights apply when a dynamic value such as `$CURRENT_USER.email` is
// resolved.

export type ValueSource =
  /** A literal of the request. Dynamic values are resolved with the rights of the caller. */
  | { readonly kind: 'slot'; readonly slot: number }
  /**
   * A literal of a stored rule. Dynamic values are resolved with the rights of the service, since a rule may use values its caller cannot
   * see.
   */
  | { readonly kind: 'rule'; readonly value: unknown }
  /** A literal of the request that is part of a key: bound unchanged. */
  | { readonly kind: 'key'; readonly slot: number }
  /** A value that is part of the plan, such as a number that must be part of the statement's text: bound unchanged. */
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'element'; readonly of: ValueSource; readonly index: number }
  /** A canonical value of a payload: bound unchanged; text that begins with a dollar sign stays text. */
  | { readonly kind: 'written'; readonly value: unknown }
  /** One value of the position that a cursor describes. */
  | { readonly kind: 'mark'; readonly index: number };

/** The source itself, or the list that an element is taken from. */
export function rootOf(source: ValueSource): Exclude<ValueSource, { readonly kind: 'element' }> {
  let root = source;
  while (root.kind === 'element') root = root.of;
  return root;
}
