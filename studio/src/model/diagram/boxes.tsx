// The boxes and lines of the diagram. Drawn once for a layout: moving and zooming change only what is around them.

import { memo } from 'react';
import type { Graph } from './graph.js';
import type { Layout } from './layout.js';
import { head, isDetailed, lineOf, type Placed, row, sizeOf } from './measures.js';

interface BoxesProps {
  readonly graph: Graph;
  readonly layout: Layout;
  /** The collection in the middle; null: none. */
  readonly center: string | null;
}

const marks = { key: '⚷', m2o: '→', o2m: '⇉', m2m: '⇄', m2a: '⇢' };

export const Boxes = memo(function Boxes({ graph, layout, center }: BoxesProps) {
  const withRows = isDetailed(graph);
  const placed = new Map(
    graph.boxes.flatMap((box): readonly [string, Placed][] => {
      const place = layout.places.get(box.id);
      return place === undefined ? [] : [[box.id, { ...sizeOf(box, withRows), ...place, box }]];
    }),
  );
  return (
    <>
      {graph.edges.map((edge) => {
        const [from, to] = [placed.get(edge.from), placed.get(edge.to)];
        if (from === undefined || to === undefined) return null;
        const isNear = center !== null && (edge.from === center || edge.to === center);
        return (
          <path
            key={`${edge.from} ${edge.field} ${edge.to}`}
            className={`diagram-edge ${edge.kind} ${isNear ? 'near' : ''} ${withRows ? '' : 'faint'}`}
            data-from={edge.from}
            data-to={edge.to}
            d={lineOf(edge, from, to, withRows)}
          />
        );
      })}
      {[...placed.values()].map((each) => (
        <BoxShape key={each.id} placed={each} withRows={withRows} isCenter={each.id === center} />
      ))}
    </>
  );
});

interface BoxShapeProps {
  readonly placed: Placed;
  readonly withRows: boolean;
  readonly isCenter: boolean;
}

function BoxShape({ placed, withRows, isCenter }: BoxShapeProps) {
  const { id, x, y, width, height, box } = placed;
  return (
    <g className={`diagram-box ${isCenter ? 'center' : ''}`} data-collection={id} transform={`translate(${x} ${y})`}>
      <rect className="frame" width={width} height={height} rx="8" />
      <text className="title" x="12" y={head / 2 + 5}>
        {cut(box.title, width - 44, 8)}
      </text>
      <g data-around={id}>
        <rect className="around" x={width - 34} width="34" height={head} />
        <circle className="around-mark" cx={width - 18} cy={head / 2} r="5" />
      </g>
      {withRows && box.rows.length > 0 && <path className="rule" d={`M 0 ${head} H ${width}`} />}
      {withRows &&
        box.rows.map(({ field, kind }, index) => (
          <text key={field} className="row" x="12" y={head + 4 + index * row + 15}>
            <tspan className="mark">{marks[kind]}</tspan>
            <tspan x="32">{cut(field, width - 44, 7.2)}</tspan>
          </text>
        ))}
    </g>
  );
}

function cut(text: string, width: number, letter: number): string {
  const most = Math.floor(width / letter);
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`;
}
