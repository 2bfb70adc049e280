// The name a table bears while it is rebuilt; errors that come up meanwhile speak of it.

export const rebuildPrefix = 'tain_rebuild_';

export const rebuildName = (table: string): string => `${rebuildPrefix}${table}`;
