// The items of a list as cards, for narrow screens.

import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Collection } from '../schema/model.js';
import { renderTemplate, templateOf } from '../schema/templates.js';
import { useStudio } from '../studio-context.js';
import { useLanguage } from '../text/use-text.js';
import { cellText } from './cell-text.js';
import { type Column, columnValue } from './columns.js';
import type { Rows } from './rows.js';
import type { Selection } from './selection.js';

interface CardsProps {
  readonly collection: Collection;
  readonly columns: readonly Column[];
  readonly rows: Rows;
  readonly selection: Selection;
}

const step = 50;

export function Cards({ collection, columns, rows, selection }: CardsProps) {
  const language = useLanguage();
  const { schema } = useStudio().boot;
  const [shown, setShown] = useState(Math.max(step, rows.place.cards));
  const scroller = useRef<HTMLDivElement>(null);
  // Whenever the list is to be read again.
  useEffect(() => rows.want(0, shown));
  const details = columns.slice(1, 4);
  const template = templateOf(collection);
  const list = Array.from({ length: Math.min(shown, rows.end) }, (_, index) => rows.row(index)).filter((row) => row !== undefined);
  // Opens where it was left; another list begins at its top.
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = rows.place.top;
  }, [rows]);
  const more = (event: React.UIEvent<HTMLDivElement>) => {
    const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
    rows.place = { top: scrollTop, cards: shown };
    if (scrollTop + clientHeight < scrollHeight - 600 || shown >= rows.end) return;
    setShown(shown + step);
  };
  return (
    <div className="scroll" ref={scroller} onScroll={more}>
      <ul className="cards" aria-label={collection.title}>
        {list.map((row) => {
          const key = String(collection.key === null ? '' : row[collection.key]);
          const title = renderTemplate(template, row) || key || language.text.unnamed;
          return (
            <li key={key} className="card">
              <Link href={`/c/${encodeURIComponent(collection.name)}/${encodeURIComponent(key)}`}>
                <strong>{title}</strong>
                <dl>
                  {details.map((column) => (
                    <div key={column.name} style={{ display: 'contents' }}>
                      <dt>{column.title}</dt>
                      <dd>{cellText(schema, column.field, columnValue(column, row), language)}</dd>
                    </div>
                  ))}
                </dl>
              </Link>
              <label className="card-box">
                <input
                  type="checkbox"
                  aria-label={language.text.list.selectItem(title)}
                  checked={selection.has(key)}
                  onChange={() => selection.toggle(key)}
                />
              </label>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
