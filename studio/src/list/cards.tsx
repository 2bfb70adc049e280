// The items of a list as cards, for narrow screens. Cards are equally high, so only those in sight and some around them are drawn, and the list
// can be scrolled to its end however long it is.

import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { cellText } from '../displays/cell-text.js';
import { addressKey, keyText } from '../schema/item-key.js';
import type { Collection } from '../schema/model.js';
import { renderTemplate, templateOf } from '../schema/templates.js';
import { useStudio } from '../studio-context.js';
import { useLanguage } from '../text/use-text.js';
import { type Column, columnValue } from './columns.js';
import type { Row, Rows } from './rows.js';
import { scrollScale } from './scroll-scale.js';
import type { Selection } from './selection.js';

interface CardsProps {
  readonly collection: Collection;
  readonly columns: readonly Column[];
  readonly rows: Rows;
  readonly selection: Selection;
}

/** Cards drawn above and below those in sight. */
const around = 6;
/** Until a card is measured. */
const usualStep = 124;

interface CardWindow {
  /** The height of a card with the gap behind it. */
  readonly step: number;
  readonly top: number;
  readonly height: number;
}

export function Cards({ collection, columns, rows, selection }: CardsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState<CardWindow>({ step: usualStep, top: rows.scrollTop, height: innerHeight });
  const { step, top, height } = sight;
  const total = rows.end;
  const scale = scrollScale(total * step, height);
  const offset = scale.toOffset(top);
  const first = Math.max(0, Math.min(total, Math.floor(offset / step)) - around);
  const last = Math.min(total, Math.ceil((offset + height) / step) + around);
  // Where the first one that is drawn begins; where the scale is large, some at the top of the list begin above it.
  const start = top + first * step - offset;
  const rest = scale.height - start - (last - first) * step;
  const drawn = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  // Whenever the list is to be read again.
  useEffect(() => rows.want(first, last));
  const look = () => {
    const element = scroller.current;
    if (element === null) return;
    rows.scrollTop = element.scrollTop;
    const card = element.querySelector('.card');
    const measured = card === null ? step : card.getBoundingClientRect().height + gap;
    setSight({ step: measured, top: element.scrollTop, height: element.clientHeight });
  };
  // Opens where it was left; another list begins at its top. The height of a card is known once some are drawn.
  const isDrawn = rows.isLoaded;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is measured changes with these
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = rows.scrollTop;
    look();
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, [rows, isDrawn]);
  return (
    <div className="scroll" ref={scroller} onScroll={look}>
      <ul
        className="cards"
        aria-label={collection.title}
        style={{
          marginBlockStart: Math.min(0, start),
          paddingBlockStart: margin + Math.max(0, start),
          paddingBlockEnd: margin + Math.max(0, rest),
        }}
      >
        {drawn.map((place) => (
          <Card
            key={place}
            collection={collection}
            columns={columns}
            row={rows.row(place)}
            place={place + 1}
            total={rows.isEndKnown ? rows.end : -1}
            selection={selection}
          />
        ))}
      </ul>
    </div>
  );
}

/** As in the style sheet. */
const margin = 12;
const gap = 8;

interface CardProps {
  readonly collection: Collection;
  readonly columns: readonly Column[];
  /** Undefined until it is read. */
  readonly row: Row | undefined;
  readonly place: number;
  readonly total: number;
  readonly selection: Selection;
}

function Card({ collection, columns, row, place, total, selection }: CardProps) {
  const language = useLanguage();
  const { schema } = useStudio().boot;
  const details = columns.slice(1, 4);
  const key = row === undefined ? null : keyText(collection, row);
  const title =
    row === undefined ? language.number.format(place) : renderTemplate(templateOf(collection), row) || (key ?? language.text.unnamed);
  const content = (
    <>
      <strong className="cut">{title}</strong>
      <dl>
        {details.map((column) => (
          <div key={column.name} style={{ display: 'contents' }}>
            <dt className="cut">{column.title}</dt>
            {/* A card without a value is as high as another. */}
            <dd>{(row !== undefined && cellText(schema, column.field, columnValue(column, row), language)) || '\u00a0'}</dd>
          </div>
        ))}
      </dl>
    </>
  );
  return (
    <li className="card" aria-setsize={total} aria-posinset={place}>
      {row === undefined || key === null ? (
        <div className="card-blank">{content}</div>
      ) : (
        <>
          <Link href={`/c/${encodeURIComponent(collection.name)}/${addressKey(key)}`}>{content}</Link>
          <label className="card-box">
            <input
              type="checkbox"
              aria-label={language.text.list.selectItem(title)}
              checked={selection.has(key)}
              onChange={() => selection.toggle(key)}
            />
          </label>
        </>
      )}
    </li>
  );
}
