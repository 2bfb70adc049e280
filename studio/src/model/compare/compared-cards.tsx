// The differences to a snapshot: a card for each collection, what all of them would do, and the button that does it. A card can be left out.

import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { request } from '../../api/client.js';
import { ConfirmDialog } from '../../primitives/confirm-dialog.js';
import { Icon } from '../../primitives/icon.js';
import { useText } from '../../text/use-text.js';
import { AffectedValues, Consequences } from '../desk/consequences.js';
import { type Affected, type Preview, type RawPreview, readPreview } from '../desk/desk.js';
import { useModelText } from '../model-base.js';
import { type DiffCard, type DiffLine, diffCards, type HashedDiff, leaveOut, mayLose, removals } from './snapshot-diff.js';

interface ComparedCardsProps {
  readonly compared: HashedDiff;
  readonly onApplied: (count: number) => void;
  readonly onAgain: () => void;
}

export function ComparedCards({ compared, onApplied, onAgain }: ComparedCardsProps) {
  const text = useModelText();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const wanted = useMemo(() => ({ ...compared, diff: leaveOut(compared.diff, left) }), [compared, left]);
  const all = useMemo(() => diffCards(compared.diff), [compared]);
  const cards = all.filter(({ collection }) => !left.has(collection));
  const { data: outlook, error } = useOutlook(wanted, cards.length > 0);
  const toggle = (collection: string) =>
    setLeft(left.has(collection) ? new Set([...left].filter((each) => each !== collection)) : new Set([...left, collection]));
  return (
    <div className="compared">
      {(compared.ignored ?? []).length > 0 && <p className="banner quiet">{text.ignoredParts(compared.ignored?.join(', ') ?? '')}</p>}
      <ol className="desk-cards">
        {all.map((card) => (
          <li key={card.collection}>
            <CollectionCard
              card={card}
              isLeft={left.has(card.collection)}
              values={left.has(card.collection) ? [] : (outlook?.values.filter(({ collection }) => collection === card.collection) ?? [])}
              onToggle={() => toggle(card.collection)}
            />
          </li>
        ))}
      </ol>
      {cards.length > 0 && (
        <section className="change-card" aria-label={text.allTogether}>
          <header>
            <h3>{text.allTogether}</h3>
          </header>
          {error !== null && (
            <p className="refusal" role="alert">
              {text.refused}: {error.message}
            </p>
          )}
          {error === null && outlook === undefined && <p className="hint">{text.asking}</p>}
          {outlook !== undefined && <Consequences preview={outlook} isOpen={false} />}
          <ApplyButton wanted={wanted} cards={cards} outlook={outlook} onApplied={onApplied} onAgain={onAgain} />
        </section>
      )}
    </div>
  );
}

function useOutlook(wanted: HashedDiff, isAsked: boolean) {
  return useQuery({
    queryKey: ['snapshot outlook', wanted],
    queryFn: async (): Promise<Preview> => {
      const { data } = await request<RawPreview>('POST', '/schema/apply', {
        body: bodyOf(wanted),
        query: { lossy: 'true' },
        prefer: 'dry-run',
      });
      return readPreview(data);
    },
    enabled: isAsked,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
}

const bodyOf = ({ hash, diff }: HashedDiff) => ({ hash, diff });

interface ApplyButtonProps {
  readonly wanted: HashedDiff;
  readonly cards: readonly DiffCard[];
  readonly outlook: Preview | undefined;
  readonly onApplied: (count: number) => void;
  readonly onAgain: () => void;
}

function ApplyButton({ wanted, cards, outlook, onApplied, onAgain }: ApplyButtonProps) {
  const text = useModelText();
  const [isAsking, setAsking] = useState(false);
  const [isApplying, setApplying] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const apply = async (lossy: boolean) => {
    setAsking(false);
    setApplying(true);
    setRefusal(null);
    try {
      await request('POST', '/schema/apply', { body: bodyOf(wanted), query: { lossy: String(lossy) } });
      onApplied(cards.length);
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
      setApplying(false);
    }
  };
  const isLossy = mayLose(wanted.diff);
  return (
    <>
      {refusal !== null && (
        <p className="banner" role="alert">
          {text.refused}: {refusal}{' '}
          <button type="button" className="button small" onClick={onAgain}>
            {text.compareAgain}
          </button>
        </p>
      )}
      <div className="dialog-actions">
        <button
          type="button"
          className={`button ${isLossy ? 'danger' : 'primary'}`}
          disabled={outlook === undefined || isApplying}
          onClick={() => (isLossy ? setAsking(true) : void apply(false))}
        >
          {isApplying ? text.applying : text.apply(cards.length)}
        </button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={text.lossyTitle}
          hint={text.lossyHint(removals(cards), touched(outlook?.values ?? []))}
          action={text.applyAnyway}
          onConfirm={() => void apply(true)}
          onCancel={() => setAsking(false)}
        />
      )}
    </>
  );
}

const touched = (values: readonly Affected[]): number => values.reduce((sum, { count }) => sum + count, 0);

interface CollectionCardProps {
  readonly card: DiffCard;
  readonly isLeft: boolean;
  readonly values: readonly Affected[];
  readonly onToggle: () => void;
}

function CollectionCard({ card, isLeft, values, onToggle }: CollectionCardProps) {
  const text = useModelText();
  const { collection, kind, lines } = card;
  const titles = { created: text.titles.createCollection, changed: text.titles.updateCollection, removed: text.titles.deleteCollection };
  const title = titles[kind](collection);
  return (
    <article className="change-card" aria-label={title} data-left={isLeft}>
      <header>
        <h3>{title}</h3>
        <button
          type="button"
          className="button quiet small"
          aria-label={`${isLeft ? text.takeIn : text.leaveOut}: ${title}`}
          onClick={onToggle}
        >
          <Icon name={isLeft ? 'undo' : 'close'} />
          {isLeft ? text.takeIn : text.leaveOut}
        </button>
      </header>
      <AffectedValues values={values} />
      {!isLeft && lines.length > 0 && (
        <ul className="diff-lines">
          {lines.map((line) => (
            <Line key={`${line.subject} ${line.name}`} line={line} />
          ))}
        </ul>
      )}
    </article>
  );
}

function Line({ line }: { readonly line: DiffLine }) {
  const text = useModelText();
  const general = useText();
  const members: Readonly<Record<string, string>> = {
    type: text.type,
    'schema.max_length': text.maxLength,
    'schema.is_nullable': text.nullable,
    'schema.is_unique': text.unique,
    'schema.is_indexed': text.indexed,
    'schema.default_value': text.defaultValue,
    'meta.note': text.note,
    'meta.width': text.width,
    'meta.interface': text.interface,
    'meta.hidden': text.hidden,
    'meta.readonly': text.readonly,
    'meta.required': text.required,
    'meta.conditions': text.conditions,
    'meta.group': text.groupMark,
    'meta.sort': text.place,
    'meta.display_template': text.template,
    'meta.singleton': text.singleton,
  };
  const print = (value: unknown): string => {
    if (value === null || value === '') return text.nothing;
    if (typeof value === 'boolean') return value ? general.yes : general.no;
    const printed = typeof value === 'string' ? value : JSON.stringify(value);
    return printed.length > mostShown ? `${printed.slice(0, mostShown)}…` : printed;
  };
  const type = line.type === null || line.type === 'alias' ? null : (text.types[line.type as keyof typeof text.types] ?? line.type);
  return (
    <li data-kind={line.kind}>
      <span className={`badge plain kind ${line.kind}`}>{text.kinds[line.kind]}</span>
      <span>
        {text.subjects[line.subject]} {line.name !== '' && <code>{line.name}</code>}
        {type !== null && <span className="hint"> {type}</span>}
      </span>
      {line.edits.length > 0 && (
        <dl className="edits">
          {line.edits.map(({ path, before, after }) => (
            <div key={path}>
              <dt title={path}>{members[path] ?? path}</dt>
              <dd>
                <del>{print(before)}</del> <span className="turns">→</span> <ins>{print(after)}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

const mostShown = 200;
