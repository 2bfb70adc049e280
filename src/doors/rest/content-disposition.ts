// The header that says how a content is kept and under which name (RFC 6266): a plain name for everybody, the exact one encoded.

export function contentDisposition(kind: 'inline' | 'attachment', filename: string | null): string {
  if (filename === null) return kind;
  const plain = filename.replace(/[^\w .()-]/g, '_');
  const exact = encodeURIComponent(filename.replace(/\p{Surrogate}/gu, '')).replace(/['()*]/g, percent);
  return `${kind}; filename="${plain}"${plain === filename ? '' : `; filename*=UTF-8''${exact}`}`;
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
