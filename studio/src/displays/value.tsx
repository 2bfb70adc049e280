// A value on a page, as its display shows it.

import { useMemo } from 'react';
import { serviceUrl } from '../api/service-url.js';
import { Picture } from '../primitives/picture.js';
import type { Field } from '../schema/model.js';
import { useStudio } from '../studio-context.js';
import { useLanguage } from '../text/use-text.js';
import type { Mark } from './mark.js';
import { showValue } from './show-value.js';

export function Value({ field, value }: { readonly field: Field; readonly value: unknown }) {
  const { schema } = useStudio().boot;
  const language = useLanguage();
  const marks = useMemo(() => showValue({ schema, language }, field, value), [schema, language, field, value]);
  if (marks.length === 0) return <span className="no-value">{language.text.none}</span>;
  return (
    <span className="marks">
      {placed(marks).map(({ id, mark }) => (
        <MarkView key={id} mark={mark} />
      ))}
    </span>
  );
}

/** Marks have no key of their own: their place identifies them. */
const placed = (marks: readonly Mark[]) => marks.map((mark, index) => ({ id: `mark-${index}`, mark }));

function MarkView({ mark }: { readonly mark: Mark }) {
  const { kind, text, color, background, file, isRound, isMono } = mark;
  if (kind === 'image') return <Thumbnail file={file ?? ''} title={text} isRound={isRound ?? false} />;
  if (kind === 'dot') return <span className="dot" style={{ background }} />;
  return (
    <span className={`${kind === 'chip' ? 'label-chip' : ''} ${isMono === true ? 'mono' : ''}`} style={{ color, background }}>
      {text}
    </span>
  );
}

/** A small picture of a file, cut to a square by the service. */
export function Thumbnail({
  file,
  title,
  isRound = false,
  size = 64,
}: {
  readonly file: string;
  readonly title: string;
  readonly isRound?: boolean;
  readonly size?: number;
}) {
  const url = serviceUrl(`/assets/${encodeURIComponent(file)}`);
  url.search = `?width=${size}&height=${size}&fit=cover`;
  return <Picture className={`thumbnail ${isRound ? 'round' : ''}`} src={url.href} alt={title} isLazy />;
}
