// The diagram in words: the collections, and the relations of the one in the middle in both directions. Everything in the drawing can be reached here
// by keyboard and by screen reader.

import { Link } from 'wouter';
import { Icon } from '../../primitives/icon.js';
import { modelHref, useModelText } from '../model-base.js';
import type { Box, Edge, Graph } from './graph.js';

interface DiagramListProps {
  readonly graph: Graph;
  readonly found: readonly Box[];
  readonly center: string | null;
  readonly onCenter: (collection: string | null) => void;
}

export function DiagramList({ graph, found, center, onCenter }: DiagramListProps) {
  const text = useModelText();
  const counts = new Map<string, number>();
  for (const { from, to } of graph.edges) for (const id of from === to ? [from] : [from, to]) counts.set(id, (counts.get(id) ?? 0) + 1);
  return (
    <ul className="diagram-list" aria-label={text.collections}>
      {found.map(({ id, title }) => (
        <li key={id}>
          <div className="diagram-entry">
            <button
              type="button"
              className="row-title"
              aria-pressed={id === center}
              title={text.showAround(title)}
              onClick={() => onCenter(id === center ? null : id)}
            >
              {title} <span className="hint">{text.relationCount(counts.get(id) ?? 0)}</span>
            </button>
            <Link href={modelHref(id)} className="button quiet icon-only" aria-label={text.openModel(title)}>
              <Icon name="next" />
            </Link>
          </div>
          {id === center && <Relations graph={graph} center={id} onCenter={onCenter} />}
        </li>
      ))}
    </ul>
  );
}

interface RelationsProps {
  readonly graph: Graph;
  readonly center: string;
  readonly onCenter: (collection: string) => void;
}

function Relations({ graph, center, onCenter }: RelationsProps) {
  const text = useModelText();
  const titles = new Map(graph.boxes.map(({ id, title }) => [id, title]));
  const near = graph.edges.filter(({ from, to }) => from === center || to === center);
  if (near.length === 0) return <p className="hint diagram-relations">{text.noRelations}</p>;
  const words = ({ from, field, to }: Edge): string =>
    from === center ? text.refersBy(field, titles.get(to) ?? to) : text.referredBy(titles.get(from) ?? from, field);
  return (
    <ul className="diagram-relations">
      {near.map((edge) => (
        <li key={`${edge.from} ${edge.field} ${edge.to}`}>
          <button type="button" className="row-title" onClick={() => onCenter(edge.from === center ? edge.to : edge.from)}>
            {words(edge)}
          </button>
        </li>
      ))}
    </ul>
  );
}
