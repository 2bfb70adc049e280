// A change of one field: texts word by word, other values as they were and are.

import { useTitle } from '../displays/use-title.js';
import { Value } from '../displays/value.js';
import type { Field } from '../schema/model.js';
import { templateFor } from '../schema/templates.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { diffWords } from './diff-words.js';

/** Longer texts are shown by their beginnings: comparing them would hold up the page. */
const mostCompared = 50_000;
const mostShown = 2000;

interface ChangeViewProps {
  readonly field: Field;
  /** Undefined: not known, or there was nothing. */
  readonly before: unknown;
  readonly after: unknown;
}

export function ChangeView({ field, before, after }: ChangeViewProps) {
  const text = useText();
  if (typeof before === 'string' && typeof after === 'string' && isProse(field) && before.length + after.length < mostCompared)
    return (
      <p className="diff">
        {diffWords(before, after).map((part, index) => {
          const key = `${index}-${part.kind}`;
          if (part.kind === 'same') return <span key={key}>{part.text}</span>;
          return part.kind === 'removed' ? <del key={key}>{part.text}</del> : <ins key={key}>{part.text}</ins>;
        })}
      </p>
    );
  return (
    <p className="diff values">
      {before !== undefined && (
        <>
          <del>
            <span className="visually-hidden">{text.before}: </span>
            <Shown field={field} value={before} />
          </del>
          <span className="turns" aria-hidden="true">
            →
          </span>
        </>
      )}
      <ins>
        <span className="visually-hidden">{text.after}: </span>
        <Shown field={field} value={after} />
      </ins>
    </p>
  );
}

/** History has the key of a related item; people know its title. */
function Shown({ field, value }: { readonly field: Field; readonly value: unknown }) {
  const { schema } = useStudio().boot;
  const related = field.relation?.kind === 'm2o' ? schema.get(field.relation.related) : undefined;
  const template = related === undefined ? [] : templateFor(related, field.options['template']);
  const isKey = value !== null && typeof value !== 'object';
  const title = useTitle(related, related?.key ?? 'id', template, isKey ? value : null);
  const cut = typeof value === 'string' && value.length > mostShown ? `${value.slice(0, mostShown)}…` : value;
  return title === '' ? <Value field={field} value={cut} /> : title;
}

const isProse = ({ type, relation, choices }: Field): boolean =>
  (type === 'string' || type === 'text') && relation === null && choices === null;
