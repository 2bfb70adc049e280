// Where a value comes from when the statement runs: the request's literals, a constant of the plan (a rule's literal), or one
// element of either (the bounds of a range).

export type ValueSource =
  | { readonly kind: 'slot'; readonly slot: number }
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'element'; readonly of: ValueSource; readonly index: number }
  /** A canonical value of a payload: bound as it is, and text that begins with a dollar sign stays text. */
  | { readonly kind: 'written'; readonly value: unknown }
  /** One mark of the place a cursor stands for. */
  | { readonly kind: 'mark'; readonly index: number };
