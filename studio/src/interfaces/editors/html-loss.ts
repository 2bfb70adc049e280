// Whether an editor that understands part of HTML would lose something of a text: everything the text has, it must have afterwards.

const neutral = new Set(['html', 'head', 'body', 'div', 'span', 'br', 'tbody']);
const sameAs: Readonly<Record<string, string>> = { b: 'strong', i: 'em', strike: 's', del: 's' };

export function losesHtml(before: string, after: string): boolean {
  const [had, has] = [factsOf(before), factsOf(after)];
  return [...had].some(([fact, count]) => (has.get(fact) ?? 0) < count);
}

/** How often each element, attribute and piece of text occurs. */
function factsOf(text: string): ReadonlyMap<string, number> {
  const facts = new Map<string, number>();
  const add = (fact: string) => facts.set(fact, (facts.get(fact) ?? 0) + 1);
  const { body } = new DOMParser().parseFromString(text, 'text/html');
  for (const element of body.querySelectorAll('*')) {
    const tag = sameAs[element.localName] ?? element.localName;
    if (!neutral.has(tag)) add(tag);
    for (const { name, value } of element.attributes) add(`${tag} ${name}=${value}`);
  }
  add(`text ${(body.textContent ?? '').replaceAll(/\s+/g, '')}`);
  return facts;
}
