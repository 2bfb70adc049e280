import { expect, it } from 'vitest';
import { htmlText } from './html-text.js';

it.each([
  ['<p>Come <strong>all</strong></p><p>to us &amp; eat</p>', 'Come all to us & eat'],
  ['<h2>Title</h2><ul><li>one</li><li>two</li></ul>', 'Title one two'],
  ['a &lt;b&gt; &#228;&#xE9;&nbsp;c &unheard;', 'a <b> äé c &unheard;'],
  ['<script>alert(1)</script>x<!-- y -->', 'x'],
  ['1 < 2', '1 < 2'],
])('reads %s', (html, text) => expect(htmlText(html)).toBe(text));
