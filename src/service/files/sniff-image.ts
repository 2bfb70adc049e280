// What a content is by its first bytes: one of the raster images browsers show and sharp reads, or null.

const isAscii = (head: Buffer, at: number, text: string): boolean => head.toString('latin1', at, at + text.length) === text;

const marks: readonly { readonly type: string; readonly test: (head: Buffer) => boolean }[] = [
  { type: 'image/png', test: (head) => isAscii(head, 0, '\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', test: (head) => isAscii(head, 0, '\xff\xd8\xff') },
  { type: 'image/gif', test: (head) => isAscii(head, 0, 'GIF87a') || isAscii(head, 0, 'GIF89a') },
  { type: 'image/webp', test: (head) => isAscii(head, 0, 'RIFF') && isAscii(head, 8, 'WEBP') },
  { type: 'image/avif', test: (head) => isAscii(head, 4, 'ftypavif') || isAscii(head, 4, 'ftypavis') },
  { type: 'image/tiff', test: (head) => isAscii(head, 0, 'II*\0') || isAscii(head, 0, 'MM\0*') },
];

export const sniffImage = (head: Buffer): string | null => marks.find(({ test }) => test(head))?.type ?? null;
