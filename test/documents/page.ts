// A page of the documents as what can be run: its fenced blocks in order. A block of `text` is the output of the commands before it, in which `…` stands for
// any text; `sh background` is what the reader runs in a terminal of its own; `js file=name` is a file beside the others.

export interface Block {
  readonly kind: string;
  readonly options: readonly string[];
  readonly text: string;
  /** Where a reader finds it. */
  readonly line: number;
}

export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { readonly info: string; readonly line: number; readonly lines: string[] } | null = null;
  for (const [index, line] of page.split('\n').entries()) {
    if (open === null) {
      if (line.startsWith('```')) open = { info: line.slice(3), line: index + 1, lines: [] };
    } else if (line.startsWith('```')) {
      const [kind = '', ...options] = open.info.split(' ');
      blocks.push({ kind, options, text: open.lines.join('\n'), line: open.line });
      open = null;
    } else open.lines.push(line);
  }
  return blocks;
}

/** Code that is only indented is not run: a page whose blocks are fenced has none. */
export const indentedLines = (page: string): readonly string[] => {
  const outside = page.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return outside.split('\n').filter((line, index, lines) => /^ {4}\S/.test(line) && (lines[index - 1] ?? '').trim() === '');
};

/** Does the output look as the page says? Blanks at the ends of lines do not count. */
export function isAsShown(output: string, shown: string): boolean {
  const tidy = (text: string): string => text.replaceAll(/[ \t]+$/gm, '').trim();
  const pattern = tidy(shown)
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*?');
  return new RegExp(`^${pattern}$`).test(tidy(output));
}
