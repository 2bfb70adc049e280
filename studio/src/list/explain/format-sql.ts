// A statement over several lines, so that people can read it. Pure.

/** Texts and quoted names stay as they are. */
const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\(|\)|\b(?:SELECT|FROM|WHERE|GROUP BY|ORDER BY|LIMIT|HAVING)\b/g;

/** Each clause begins a line, indented as deep as its subquery is. */
export function formatSql(sql: string): string {
  // For each open parenthesis, whether it holds a subquery.
  const open: boolean[] = [];
  const depth = (): number => open.filter(Boolean).length;
  let text = '';
  let last = 0;
  const newLine = () => {
    text = `${text.trimEnd()}\n${'  '.repeat(depth())}`;
  };
  for (const { 0: token, index } of sql.matchAll(tokens)) {
    const between = sql.slice(last, index);
    text += text.endsWith('\n') || /\n *$/.test(text) ? between.trimStart() : between;
    last = index + token.length;
    if (token === '(') {
      const isQuery = /^\s*SELECT\b/.test(sql.slice(last));
      open.push(isQuery);
      text += token;
    } else if (token === ')') {
      if (open.pop() === true) newLine();
      text += token;
    } else {
      const isClause = /^[A-Z ]+$/.test(token);
      const isOwn = open.length === 0 || open.at(-1) === true;
      if (isClause && isOwn && text.trim() !== '') newLine();
      text += token;
    }
  }
  return text + sql.slice(last);
}
