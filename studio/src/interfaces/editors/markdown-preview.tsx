// Markdown as it will look. What the text contains may come from anybody: it reaches the page through DOMPurify only.

import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { useEffect, useRef } from 'react';
import { viewedAs } from '../../api/view-as.js';

/** The content policy forbids inline styles, and pictures of other services would show them who reads. While viewing as another user,
 * pictures of this service would be those that the administrator may see. */
const forbidden = { FORBID_TAGS: ['style', 'form', 'input'], FORBID_ATTR: ['style', 'srcset'] };

export function MarkdownPreview({ text }: { readonly text: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const clean = DOMPurify.sanitize(marked.parse(text, { async: false }), { ...forbidden, RETURN_DOM_FRAGMENT: true });
    for (const picture of clean.querySelectorAll('img')) {
      if (isForeign(picture.src) || viewedAs() !== null) picture.replaceWith(picture.alt || picture.src);
      else if (!picture.hasAttribute('alt')) picture.alt = '';
    }
    for (const link of clean.querySelectorAll('a')) link.rel = 'noreferrer';
    place.current?.replaceChildren(clean);
  }, [text]);
  return <div ref={place} className="prose" />;
}

const isForeign = (address: string): boolean => new URL(address, document.baseURI).origin !== location.origin;
