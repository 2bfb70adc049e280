// The structure as a diagram. With hundreds of tables it is narrowed: by name, or to one collection and its neighbours. The address holds both.

import { useMemo } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { Crumb, PageHead } from '../../frame/page-head.js';
import { Icon } from '../../primitives/icon.js';
import { useStudio } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';
import { modelHref, useModelText } from '../model-base.js';
import { DiagramCanvas } from './diagram-canvas.js';
import { DiagramList } from './diagram-list.js';
import { around, buildGraph, only } from './graph.js';
import { requestOf } from './measures.js';
import './diagram.css';

/** More boxes than these are neither drawn nor read. */
const mostDrawn = 1000;

export function DiagramPage() {
  const text = useModelText();
  const general = useText();
  const { schema } = useStudio().boot;
  const [, navigate] = useLocation();
  const { searchText, center, steps, change } = useNarrowing();
  const graph = useMemo(() => buildGraph(schema), [schema]);
  const found = useMemo(() => {
    const lower = searchText.trim().toLowerCase();
    return graph.boxes
      .filter(({ id, title }) => `${title} ${id}`.toLowerCase().includes(lower))
      .toSorted((left, right) => left.title.localeCompare(right.title, undefined, { numeric: true }));
  }, [graph, searchText]);
  const middle = center !== null && graph.boxes.some(({ id }) => id === center) ? center : null;
  const shown = useMemo(() => {
    const ids = middle === null ? new Set(found.slice(0, mostDrawn).map(({ id }) => id)) : around(graph, middle, steps);
    return only(graph, ids);
  }, [graph, found, middle, steps]);
  const request = useMemo(() => requestOf(shown), [shown]);
  return (
    <>
      <PageHead
        title={
          <>
            <Crumb href="/model" title={text.back} />
            {text.diagram}
          </>
        }
        request={{ path: '/relations' }}
      />
      <div className="toolbar">
        <input
          className="input search"
          type="search"
          placeholder={text.findCollection}
          aria-label={text.findCollection}
          value={searchText}
          onChange={(event) => change({ find: event.target.value, center: null })}
        />
        {middle !== null && <StepsSelect steps={steps} onChange={(next) => change({ steps: String(next) })} />}
        {middle !== null && (
          <button type="button" className="button quiet" onClick={() => change({ center: null })}>
            <Icon name="close" />
            {text.showAll}
          </button>
        )}
        <span className="hint" role="status">
          {text.drawn(shown.boxes.length, shown.edges.length)}
          {middle === null && found.length > mostDrawn && ` ${text.drawnFirst(mostDrawn)}`}
        </span>
      </div>
      <div className="diagram-parts">
        <nav className="diagram-side" aria-label={text.diagramList}>
          {found.length === 0 ? (
            <p className="hint">{general.noMatch}</p>
          ) : (
            <DiagramList graph={graph} found={found} center={middle} onCenter={(id) => change({ center: id })} />
          )}
        </nav>
        <DiagramCanvas
          graph={shown}
          request={request}
          center={middle}
          onOpen={(id) => navigate(modelHref(id))}
          onCenter={(id) => change({ center: id })}
        />
      </div>
    </>
  );
}

function StepsSelect({ steps, onChange }: { readonly steps: number; readonly onChange: (steps: number) => void }) {
  const text = useModelText();
  return (
    <select className="input steps" aria-label={text.steps} value={steps} onChange={(event) => onChange(Number(event.target.value))}>
      {[1, 2].map((each) => (
        <option key={each} value={each}>
          {text.stepsAway(each)}
        </option>
      ))}
    </select>
  );
}

/** What the address says is shown; an empty value leaves it. */
function useNarrowing() {
  const [params, setParams] = useSearchParams();
  return {
    searchText: params.get('find') ?? '',
    center: params.get('center'),
    steps: params.get('steps') === '2' ? 2 : 1,
    change: (values: Readonly<Record<string, string | null>>) =>
      setParams(
        (present) => {
          const next = new URLSearchParams(present);
          for (const [name, value] of Object.entries(values)) {
            if (value === null || value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        // Typing leaves no trail of letters; going from one collection to the next can be gone back.
        { replace: 'find' in values },
      ),
  };
}
