// How a list is read: in words, as a statement and as the database's own plan, with the index that it lacks as a card for the change desk. When
// the change is applied, the drawer asks again and shows what is different.

import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { addCards, useCards } from '../../model/desk/desk.js';
import { createIndexCard } from '../../model/index-cards.js';
import { useModelText } from '../../model/model-base.js';
import '../../model/model.css';
import { Icon } from '../../primitives/icon.js';
import { SideDrawer } from '../../primitives/side-drawer.js';
import type { Collection } from '../../schema/model.js';
import { useStudio } from '../../studio-context.js';
import { useLanguage, useText } from '../../text/use-text.js';
import './explain.css';
import { type Explanation, explainList, improved, readsAll, type Suggestion, type TableAccess } from './explanation.js';
import { formatSql } from './format-sql.js';

const DeskDrawer = lazy(async () => ({ default: (await import('../../model/desk/desk-drawer.js')).DeskDrawer }));

const useExplainText = () => useText('explain');

interface ExplainDrawerProps {
  readonly collection: Collection;
  /** That of the list, as JSON. */
  readonly query: string;
  readonly onClose: () => void;
}

export function ExplainDrawer({ collection, query, onClose }: ExplainDrawerProps) {
  const text = useExplainText();
  const modelText = useModelText();
  const cards = useCards();
  const [isDeskOpen, setDeskOpen] = useState(false);
  // Counts how often the desk was left: what it changed may have changed the plan.
  const [round, setRound] = useState(0);
  const [first, setFirst] = useState<Explanation | null>(null);
  const { data, error } = useQuery({
    queryKey: ['explain', collection.name, query, round],
    queryFn: ({ signal }) => explainList(collection, query, signal),
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  useEffect(() => {
    if (data !== undefined) setFirst((known) => known ?? data);
  }, [data]);
  const add = ({ collection: name, fields }: Suggestion) => {
    const card = createIndexCard(modelText, name, { fields });
    if (!cards.some(({ change }) => JSON.stringify(change) === JSON.stringify(card.change))) addCards([card]);
    setDeskOpen(true);
  };
  const leaveDesk = () => {
    setDeskOpen(false);
    setRound((count) => count + 1);
  };
  return (
    <SideDrawer title={text.title(collection.title)} isWide onClose={onClose}>
      <div className="explain" aria-live="polite">
        {error !== null && (
          <p className="banner" role="alert">
            {error.message}
          </p>
        )}
        {error === null && data === undefined && <p className="hint">{text.asking}</p>}
        {data !== undefined && <Plan explanation={data} first={first} onAdd={add} />}
      </div>
      {isDeskOpen && (
        <Suspense fallback={null}>
          <DeskDrawer onClose={leaveDesk} />
        </Suspense>
      )}
    </SideDrawer>
  );
}

interface PlanProps {
  readonly explanation: Explanation;
  /** The answer when the drawer was opened. */
  readonly first: Explanation | null;
  readonly onAdd: (suggestion: Suggestion) => void;
}

function Plan({ explanation, first, onAdd }: PlanProps) {
  const text = useExplainText();
  const words = useWords();
  const { tables, sorts, suggestions, sql, database } = explanation;
  const [change] = first === null ? [] : improved(first, explanation);
  return (
    <>
      {change !== undefined && (
        <p className="explain-better" role="status">
          <Icon name="check" />
          {text.better(words(change.before, []), words(change.now, []))}
        </p>
      )}
      <ul className="explain-steps">
        {tables.map((table) => (
          <li key={JSON.stringify(table)}>
            <span className={readsAll(table) ? 'badge' : 'badge plain'}>{text[table.access]}</span>
            <span>{words(table, suggestions)}</span>
          </li>
        ))}
        {sorts && (
          <li>
            <span className="badge plain" aria-hidden="true">
              <Icon name="down" />
            </span>
            <span>{text.sorts}</span>
          </li>
        )}
      </ul>
      {suggestions.length === 0 && <p className="hint">{text.fine}</p>}
      {suggestions.map((suggestion) => (
        <SuggestionCard key={JSON.stringify(suggestion)} suggestion={suggestion} onAdd={onAdd} />
      ))}
      <details className="section statements" open>
        <summary>{text.statement}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
        <pre tabIndex={0} dir="ltr">
          {formatSql(sql)}
        </pre>
      </details>
      <details className="section statements">
        <summary>{text.rawPlan}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
        <pre tabIndex={0} dir="ltr">
          {isLines(database) ? database.join('\n') : JSON.stringify(database, null, 2)}
        </pre>
      </details>
    </>
  );
}

function SuggestionCard({ suggestion, onAdd }: { readonly suggestion: Suggestion; readonly onAdd: (suggestion: Suggestion) => void }) {
  const text = useExplainText();
  const titles = useTitles();
  const fields = suggestion.fields.map((field) => titles.field(suggestion.collection, field)).join(', ');
  return (
    <article className="change-card">
      <p>{text.suggestion(titles.collection(suggestion.collection), fields)}</p>
      <p className="hint">{text.cost}</p>
      <button type="button" className="button primary" onClick={() => onAdd(suggestion)}>
        <Icon name="plus" />
        {text.add}
      </button>
    </article>
  );
}

const isLines = (database: unknown): database is readonly string[] =>
  Array.isArray(database) && database.every((line) => typeof line === 'string');

/** A step of the plan as a sentence. */
function useWords(): (table: TableAccess, suggestions: readonly Suggestion[]) => string {
  const text = useExplainText();
  const titles = useTitles();
  const { number } = useLanguage();
  return (table, suggestions) => {
    const { collection, access, index, rows } = table;
    const name = titles.collection(collection);
    if (access === 'search') return index === null || /^primary( key)?$/i.test(index) ? text.findsByKey(name) : text.finds(name, index);
    if (index !== null && !/^primary( key)?$/i.test(index)) return text.readsInOrder(name, index);
    if (rows !== null && !readsAll(table)) return text.readsFirst(number.format(rows), name);
    const lacks = suggestions.find((suggestion) => suggestion.collection === collection);
    const all = rows === null ? text.readsAllUnknown(name) : text.readsAll(number.format(rows), name);
    return lacks === undefined ? all : `${all}: ${text.noIndex(lacks.fields.map((field) => titles.field(collection, field)).join(', '))}`;
  };
}

function useTitles() {
  const { schema } = useStudio().boot;
  return {
    collection: (name: string): string => schema.get(name)?.title ?? name,
    field: (collection: string, name: string): string => schema.get(collection)?.fieldsByName.get(name)?.title ?? name,
  };
}
