// The text of stored HTML, for places that show one line: tags leave gaps, entities become characters. Pure; nothing is ever rendered.

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

export const htmlText = (html: string): string =>
  html
    .replaceAll(/<(script|style)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi, ' ')
    .replaceAll(/<\/?(?:b|i|u|s|em|strong|a|span|code|sub|sup|mark|small)\b[^>]*>/gi, '')
    .replaceAll(/<\/?[a-z][^>]*>/gi, ' ')
    .replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, (entity, name: string) => characterOf(name.toLowerCase()) ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return named[name];
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
