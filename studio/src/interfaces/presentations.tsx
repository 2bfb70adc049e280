// Parts of a form that show something and hold no value: dividers, notices, headings and links.

import type { ComponentType } from 'react';
import type { Field } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { useText } from '../text/use-text.js';

interface PresentationProps {
  readonly field: Field;
}

function Divider({ field }: PresentationProps) {
  const title = plainText(field.options['title']);
  return <div className="divider">{title === '' ? <hr /> : <h2>{title}</h2>}</div>;
}

function Notice({ field }: PresentationProps) {
  const { text, color } = field.options;
  return <p className={`banner ${color === 'danger' ? '' : color === 'warning' ? 'amber' : 'quiet'}`}>{plainText(text)}</p>;
}

function Header({ field }: PresentationProps) {
  const { title, subtitle } = field.options;
  return (
    <div className="divider">
      <h2>{plainText(title) || field.title}</h2>
      {plainText(subtitle) !== '' && <p className="hint">{plainText(subtitle)}</p>}
    </div>
  );
}

function Links({ field }: PresentationProps) {
  const links = Array.isArray(field.options['links']) ? field.options['links'] : [];
  return (
    <div className="link-row">
      {links.map((link: Readonly<Record<string, unknown>>) => {
        const url = plainText(link['url']);
        // Metadata may hold any text; only addresses of pages become links.
        return /^(https?:|\/)/.test(url) ? (
          <a key={url} className="button" href={url} target="_blank" rel="noreferrer">
            {plainText(link['label']) || url}
          </a>
        ) : null;
      })}
    </div>
  );
}

/** A field without column and relation whose interface Studio does not know. */
function Unknown({ field }: PresentationProps) {
  const text = useText();
  return field.interface === null ? null : <p className="hint">{text.unknownPresentation(field.title, field.interface)}</p>;
}

const presentations: Readonly<Record<string, ComponentType<PresentationProps>>> = {
  'presentation-divider': Divider,
  'presentation-notice': Notice,
  'presentation-header': Header,
  'presentation-links': Links,
};

export function findPresentation(field: Field): ComponentType<PresentationProps> | undefined {
  const named = presentations[field.interface ?? ''];
  return named ?? (field.column === null && field.relation === null ? Unknown : undefined);
}
