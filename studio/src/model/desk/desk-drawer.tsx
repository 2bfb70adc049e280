// The change desk: a card for each change, with its statements, the values it touches and what it breaks. All are applied as one.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Icon } from '../../primitives/icon.js';
import { SideDrawer } from '../../primitives/side-drawer.js';
import { showToast } from '../../primitives/toasts.js';
import { useStudio } from '../../studio-context.js';
import { useLanguage } from '../../text/use-text.js';
import { useModelText } from '../model-base.js';
import { Consequences } from './consequences.js';
import { applyCards, type Card, type Change, clearDesk, type Preview, previewAll, removeCard, useCards, without } from './desk.js';
import { MetaChanges } from './meta-changes.js';

export function DeskDrawer({ onClose }: { readonly onClose: () => void }) {
  const text = useModelText();
  const { reload } = useStudio();
  const cache = useQueryClient();
  const cards = useCards();
  const [isApplying, setApplying] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const whole = usePreview(
    cards.map(({ change }) => change),
    true,
  );
  const apply = async () => {
    setApplying(true);
    setRefusal(null);
    try {
      await applyCards(cards);
      showToast(text.applied(cards.length));
      clearDesk();
      cache.clear();
      reload();
      onClose();
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    }
    setApplying(false);
  };
  const foot = cards.length > 0 && (
    <>
      <p className="hint">{cards.length > 1 && text.together}</p>
      {cards.length > 1 && (
        <button type="button" className="button" onClick={clearDesk}>
          {text.discardAll}
        </button>
      )}
      <ApplyButton cards={cards} preview={whole.data} isRefused={whole.error !== null} isApplying={isApplying} onApply={apply} />
    </>
  );
  return (
    <SideDrawer title={text.desk} isWide foot={foot === false ? undefined : foot} onClose={onClose}>
      {refusal !== null && (
        <p className="banner" role="alert">
          {text.refused}: {refusal}
        </p>
      )}
      {cards.length === 0 && <p className="hint">{text.deskEmpty}</p>}
      <ol className="desk-cards">
        {cards.map((card, index) => (
          <li key={card.id}>
            <ChangeCard card={card} isLast={index === cards.length - 1} changes={cards.slice(0, index + 1).map(({ change }) => change)} />
          </li>
        ))}
      </ol>
    </SideDrawer>
  );
}

interface ChangeCardProps {
  readonly card: Card;
  /** The changes of all cards before it, followed by its own. */
  readonly changes: readonly Change[];
  /** The last card is opened, because it is the newest. */
  readonly isLast: boolean;
}

function ChangeCard({ card, changes, isLast }: ChangeCardProps) {
  const text = useModelText();
  const { data, error } = usePreview(changes);
  return (
    <article ref={isLast && changes.length > 1 ? showCard : undefined} className="change-card" aria-label={card.title}>
      <header>
        <h3>{card.title}</h3>
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={text.discardCard(card.title)}
          title={text.discard}
          onClick={() => removeCard(card.id)}
        >
          <Icon name="trash" />
        </button>
      </header>
      {error !== null && (
        <p className="refusal" role="alert">
          {text.refused}: {error.message}
        </p>
      )}
      {error === null && data === undefined && <p className="hint">{text.asking}</p>}
      {data !== undefined && isRefused(data) && (
        <p className="refusal" role="alert">
          {text.refused}: {text.viewsFirst(data.breaks.flatMap((each) => (each.kind === 'view' ? [each.name] : [])).join(', '))}
        </p>
      )}
      <MetaChanges change={card.change} />
      {data !== undefined && <Consequences preview={data} isOpen={isLast} />}
    </article>
  );
}

/** The service drops nothing that a view of the database uses. */
const isRefused = ({ breaks }: Preview): boolean => breaks.some(({ kind }) => kind === 'view');

interface ApplyButtonProps {
  readonly cards: readonly Card[];
  /** Of all cards together; undefined until it is known. */
  readonly preview: Preview | undefined;
  readonly isRefused: boolean;
  readonly isApplying: boolean;
  readonly onApply: () => void;
}

/** Says what is lost, and waits until it is known whether the service would take the change. */
function ApplyButton({ cards, preview, isRefused: isKnownRefused, isApplying, onApply }: ApplyButtonProps) {
  const text = useModelText();
  const { number } = useLanguage();
  const values = preview?.values.filter(({ effect }) => effect === 'deleted' || effect === 'truncated') ?? [];
  const deletes = cards.filter(({ change }) => change.change === 'delete_field' || change.change === 'delete_collection');
  const isLoss = values.length > 0 || deletes.length > 0;
  const lost = values.reduce((sum, { count }) => sum + count, 0);
  const names = deletes.map(({ change }) => change.field ?? change.collection ?? '').join(', ');
  const title = isLoss ? text.applyLoss(names, lost === 0 ? null : number.format(lost), cards.length) : text.apply(cards.length);
  const isOff = isApplying || isKnownRefused || preview === undefined || isRefused(preview);
  return (
    <button type="button" className={`button ${isLoss ? 'primary danger' : 'primary'}`} disabled={isOff} onClick={onApply}>
      {isApplying ? text.applying : title}
    </button>
  );
}

/**
 * What the last of the changes adds to the preview of those before it. The card above requests that preview anyway, so each card costs one
 * request.
 */
function usePreview(changes: readonly Change[], isWhole = false): { readonly data: Preview | undefined; readonly error: Error | null } {
  const rest = isWhole ? [] : changes.slice(0, -1);
  const options = { refetchOnWindowFocus: false, staleTime: 0 };
  const all = useQuery({ ...options, queryKey: ['preview', changes], queryFn: () => previewAll(changes), enabled: changes.length > 0 });
  const before = useQuery({ ...options, queryKey: ['preview', rest], queryFn: () => previewAll(rest), enabled: rest.length > 0 });
  const known = rest.length === 0 ? nothing : before.data;
  const data = useMemo(() => (all.data === undefined || known === undefined ? undefined : without(all.data, known)), [all.data, known]);
  return { data, error: all.error ?? before.error };
}

const nothing: Preview = { statements: [], values: [], breaks: [] };

const showCard = (card: HTMLElement | null): void => card?.scrollIntoView({ block: 'nearest' });
