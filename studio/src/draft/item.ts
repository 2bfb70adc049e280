// An item as it was read, and what a person has changed of it.

export type Item = Readonly<Record<string, unknown>>;
export type Edits = Readonly<Record<string, unknown>>;
