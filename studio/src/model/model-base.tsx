// What the screens of the model share: their texts, and the bar that shows what waits on the desk.

import { createContext, type InputHTMLAttributes, useContext } from 'react';
import { useText } from '../text/use-text.js';
import { useCards } from './desk/desk.js';

export const useModelText = () => useText('model');

/** The page of a collection in the model. Collections named like one of the model's own pages get a prefix. */
export const modelHref = (collection: string): string => `/model/${ownPages.has(collection) ? 'c/' : ''}${encodeURIComponent(collection)}`;

const ownPages = new Set(['c', 'compare', 'diagram']);

/** Opens the desk. */
export const DeskContext = createContext<() => void>(() => undefined);
export const useOpenDesk = (): (() => void) => useContext(DeskContext);

export function DeskBar() {
  const text = useModelText();
  const openDesk = useOpenDesk();
  const cards = useCards();
  if (cards.length === 0) return null;
  return (
    <div className="desk-bar" role="status">
      <span>{text.pending(cards.length)}</span>
      <button type="button" className="button small" onClick={openDesk}>
        {text.show}
      </button>
    </div>
  );
}

interface ReviewFootProps {
  /** The id of the form that is sent. */
  readonly form: string;
  readonly hint?: string;
  readonly onClose: () => void;
}

/** The foot of a drawer whose form becomes cards on the desk. */
export function ReviewFoot({ form, hint, onClose }: ReviewFootProps) {
  const text = useModelText();
  const general = useText();
  return (
    <>
      {hint !== undefined && <p className="hint">{hint}</p>}
      <button type="button" className="button" onClick={onClose}>
        {general.cancel}
      </button>
      <button type="submit" form={form} className="button primary">
        {text.review}
      </button>
    </>
  );
}

/** An input for the name of a collection or a field. */
export function NameInput(props: InputHTMLAttributes<HTMLInputElement>) {
  const text = useModelText();
  return <input className="input" pattern={namePattern} title={text.nameHint} autoComplete="off" {...props} />;
}

/** A name that databases and the API take without quotes. */
const namePattern = '[A-Za-z_][A-Za-z0-9_]{0,62}';
