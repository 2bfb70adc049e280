// Objects with arbitrary keys, as JSON, request parameters and metadata rows contain them.

export type PlainObject = Readonly<Record<string, unknown>>;

/** Whether the value is an object, and neither null nor a list. */
export const isPlainObject = (value: unknown): value is PlainObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object without a prototype, for keys from outside: no name has a meaning beyond itself. */
export const makeMap = <T>(): Record<string, T> => Object.create(null) as Record<string, T>;
