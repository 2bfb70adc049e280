// An address of a database as it may be shown.

export const withoutPassword = (url: string): string => url.replace(/(:\/\/[^:@/]*):[^@]*@/, '$1:…@');
