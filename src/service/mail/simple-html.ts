// Texts of users as HTML for mails. Markup in them stays text; of Markdown there are paragraphs, headings, lists, quotes, emphasis, code and
// links to web pages.

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => references[character] ?? '');

/** The lengths are bounded, so that the time stays proportional to the length of the text. */
const inline =
  /`([^`\n]{1,500})`|\*\*([^*\n]{1,500})\*\*|\*([^*\s][^*\n]{0,500})\*|\[([^\]\n]{1,200})\]\((https?:\/\/[^\s()<>"']{1,1000})\)/g;

function inlineHtml(text: string): string {
  let html = '';
  let at = 0;
  for (const found of text.matchAll(inline)) {
    const [whole, code, strong, emphasis, label, link] = found;
    html += escapeHtml(text.slice(at, found.index));
    if (code !== undefined) html += `<code>${escapeHtml(code)}</code>`;
    else if (strong !== undefined) html += `<strong>${escapeHtml(strong)}</strong>`;
    else if (emphasis !== undefined) html += `<em>${escapeHtml(emphasis)}</em>`;
    else html += `<a href="${escapeHtml(link ?? '')}">${escapeHtml(label ?? '')}</a>`;
    at = found.index + whole.length;
  }
  return html + escapeHtml(text.slice(at));
}

type Kind = 'text' | 'heading' | 'item' | 'quote' | 'blank';

interface Line {
  readonly kind: Kind;
  readonly text: string;
}

const marks: readonly (readonly [RegExp, Kind])[] = [
  [/^#{1,6} /, 'heading'],
  [/^\s{0,3}(?:[-*+]|\d{1,9}\.) /, 'item'],
  [/^> ?/, 'quote'],
  [/^\s*$/, 'blank'],
];

function readLine(line: string): Line {
  const [mark, kind] = marks.find(([pattern]) => pattern.test(line)) ?? [null, 'text'];
  return { kind, text: mark === null ? line : line.replace(mark, '') };
}

const drawn: Readonly<Record<Kind, (lines: readonly string[]) => string>> = {
  text: (lines) => `<p>${lines.join('<br>')}</p>`,
  heading: (lines) => lines.map((line) => `<p><strong>${line}</strong></p>`).join(''),
  item: (lines) => `<ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul>`,
  quote: (lines) => `<blockquote>${lines.join('<br>')}</blockquote>`,
  blank: () => '',
};

export function markdownToHtml(markdown: string): string {
  const blocks: { readonly kind: Kind; readonly lines: string[] }[] = [];
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    const { kind, text } = readLine(line);
    const last = blocks.at(-1);
    if (last?.kind === kind) last.lines.push(inlineHtml(text));
    else blocks.push({ kind, lines: [inlineHtml(text)] });
  }
  return blocks.map(({ kind, lines }) => drawn[kind](lines)).join('');
}
