import { describe, expect, it } from 'vitest';
import { writeNotification } from './notification-message.js';
import { markdownToHtml } from './simple-html.js';

describe('texts of users in mails', () => {
  it('have paragraphs, headings, lists, quotes, emphasis, code and links', () => {
    expect(markdownToHtml('# Hello\nsee **this** and *that*\n`x < 1`\n\n- one\n- [two](https://a.example/?b=1&c=2)\n> said\n> she')).toBe(
      '<p><strong>Hello</strong></p><p>see <strong>this</strong> and <em>that</em><br><code>x &lt; 1</code></p>' +
        '<ul><li>one</li><li><a href="https://a.example/?b=1&amp;c=2">two</a></li></ul><blockquote>said<br>she</blockquote>',
    );
  });

  it('H17: contain no markup of their own, and no links but to web pages', () => {
    for (const text of [
      '<script>alert(1)</script>',
      '**<img src=x onerror=alert(1)>**',
      '[x](javascript:alert(1))',
      '[x](https://a.example/"onmouseover="alert(1))',
      '`</code><b>`',
      '[<b>](https://a.example)',
      '# <svg onload=alert(1)>',
    ])
      expect(
        markdownToHtml(text).replace(/<\/?(?:p|strong|em|code|ul|li|blockquote|br)>|<a href="https:\/\/a\.example">|<\/a>/g, ''),
      ).not.toMatch(/[<>"]/);
  });

  it('H17: take time in proportion to their length', () => {
    const started = performance.now();
    for (const part of ['*a', '**', '[', '[a](https://', '`', '> ', '- ', '#', ' ']) markdownToHtml(part.repeat(10_000 / part.length));
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('H17: break into no other header, and lead to the item and to the switch', () => {
    const letter = {
      to: 'a@b.c',
      message: null,
      link: 'https://d.example/admin/c/a/1',
      account: 'https://d.example/admin/me',
      project: '<P>',
    };
    const { subject, text, html } = writeNotification({ ...letter, subject: 'A\r\nBcc: all@example.com' });
    expect(subject).toBe('A Bcc: all@example.com');
    expect(text).toMatch(/Open it: https:\/\/d\.example\/admin\/c\/a\/1[\s\S]+Turn it off: https:\/\/d\.example\/admin\/me$/);
    expect(html).toContain('<a href="https://d.example/admin/c/a/1">Open it</a>');
    expect(html).toContain('&lt;P&gt;');
  });
});
