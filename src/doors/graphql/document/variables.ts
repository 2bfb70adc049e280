// The values a request gives to the variables of its document.

export type Variables = Readonly<Record<string, unknown>>;
