// The keys of versions that stand for the item itself, so that a client can name what it shows by one parameter whatever that is.

const ofItem: ReadonlySet<string> = new Set(['main', 'published']);

export const isKeyOfItem = (key: string): boolean => ofItem.has(key);

/** The key of the version that is asked for; null: the item itself. */
export const versionOf = (key: string | null): string | null => (key === null || isKeyOfItem(key) ? null : key);
