// The map itself: grid, shapes, and handles that are dragged or moved by the arrow keys. Nothing is asked of another server.

import { type KeyboardEvent, type PointerEvent, type RefObject, useMemo, useRef } from 'react';
import { land } from './land.js';
import { distanceTo, type GridLine, gridLines, mapHeight, mapWidth, type Projection, type View } from './projection.js';
import { type Part, type Position, placeFor } from './shape.js';

interface MapDrawingProps {
  readonly label: string;
  readonly describedBy: string;
  readonly projection: Projection;
  readonly parts: readonly Part[];
  /** Positions of a part that is not complete yet. */
  readonly unfinished: readonly Position[];
  /** Null where nothing may be moved. */
  readonly edit: MapEdits | null;
  readonly onView: (view: View) => void;
  readonly onZoom: (factor: number | null) => void;
}

export interface MapEdits {
  readonly handleLabel: (position: Position) => string;
  readonly onAdd: (position: Position, place: [Part, number] | null) => void;
  readonly onMove: (part: Part, index: number, position: Position) => void;
  readonly onRemove: (part: Part, index: number) => void;
}

/** More handles than this cover the shape; such shapes are edited as text. */
export const mostHandles = 300;
const near = 14;
const roughUntil = 12;

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function MapDrawing(props: MapDrawingProps) {
  const { label, describedBy, projection, parts, unfinished, edit, onView, onZoom } = props;
  const { view, place, isGlobe } = projection;
  const drawing = useRef<SVGSVGElement>(null);
  const { press, drag, release, cancel } = usePointer(drawing, props);
  const keys: Readonly<Record<string, () => void>> = { '+': () => onZoom(2), '-': () => onZoom(0.5), '0': () => onZoom(null) };
  const steer = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [x, y] = steps[event.key] ?? [0, 0];
    const move = () => onView({ ...view, x: view.x + (x * 60) / view.scale, y: view.y - (y * 60) / view.scale });
    const act = event.key in steps ? move : keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing is no set of fields
    <svg
      ref={drawing}
      className="map"
      viewBox={`0 0 ${mapWidth} ${mapHeight}`}
      role="group"
      aria-label={label}
      aria-describedby={describedBy}
      data-editable={edit !== null}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what is moved by pointer is moved by keyboard, too
      tabIndex={0}
      onPointerDown={(event) => press(event, null)}
      onPointerMove={drag}
      onPointerUp={release}
      onPointerCancel={cancel}
      onKeyDown={steer}
    >
      {isGlobe && view.scale < roughUntil && <Land projection={projection} />}
      <Grid {...gridLines(projection)} unit={isGlobe ? '°' : ''} />
      {parts.map((part) => (
        <Outline key={part.at.join('.')} part={part} place={place} />
      ))}
      {unfinished.length > 0 && <polyline className="map-unfinished" points={pointsOf(unfinished, place)} />}
      {unfinished.map((position) => (
        <Dot key={position.join()} at={place(position)} />
      ))}
      {edit === null
        ? parts.filter(({ form }) => form === 'point').map(({ at, positions }) => <Dot key={at.join('.')} at={place(positions[0] ?? [])} />)
        : parts.map((part) => <Handles key={part.at.join('.')} part={part} projection={projection} edit={edit} onPress={press} />)}
    </svg>
  );
}

/** A position by the part that it is in. */
type Held = [Part, number];

/** Handles are dragged, and so is the map; a click adds a position. */
function usePointer(drawing: RefObject<SVGSVGElement | null>, { projection, parts, edit, onView }: MapDrawingProps) {
  const { view, positionAt } = projection;
  const grip = useRef<{ x: number; y: number; isMoved: boolean; held: Held | null } | null>(null);
  const unitsAt = ({ clientX, clientY }: PointerEvent): readonly [number, number] => {
    const { left, top, width, height } = drawing.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
    return [((clientX - left) / width) * mapWidth, ((clientY - top) / height) * mapHeight];
  };
  return {
    press: (event: PointerEvent, held: Held | null) => {
      event.stopPropagation();
      const [x, y] = unitsAt(event);
      grip.current = { x, y, isMoved: false, held };
      drawing.current?.setPointerCapture(event.pointerId);
    },
    drag: (event: PointerEvent) => {
      const { current } = grip;
      if (current === null) return;
      const [x, y] = unitsAt(event);
      if (!current.isMoved && Math.hypot(x - current.x, y - current.y) < 4) return;
      grip.current = { x, y, isMoved: true, held: current.held };
      if (current.held === null) onView({ ...view, x: view.x - (x - current.x) / view.scale, y: view.y + (y - current.y) / view.scale });
      else edit?.onMove(...current.held, positionAt(x, y));
    },
    release: (event: PointerEvent) => {
      const { current } = grip;
      grip.current = null;
      if (current === null || current.isMoved || current.held !== null || edit === null) return;
      const [x, y] = unitsAt(event);
      edit.onAdd(positionAt(x, y), placeFor(parts, distanceTo(projection, x, y), near));
    },
    cancel: () => {
      grip.current = null;
    },
  };
}

interface HandlesProps {
  readonly part: Part;
  readonly projection: Projection;
  readonly edit: MapEdits;
  readonly onPress: (event: PointerEvent, held: Held) => void;
}

const Handles = ({ part, projection, edit, onPress }: HandlesProps) =>
  part.positions.map((position, index) => (
    <Handle
      // biome-ignore lint/suspicious/noArrayIndexKey: a position has no other name than its place
      key={index}
      at={projection.place(position)}
      label={edit.handleLabel(position)}
      onPress={(event) => onPress(event, [part, index])}
      onStep={(x, y) => edit.onMove(part, index, stepped(projection, position, x, y))}
      onRemove={() => edit.onRemove(part, index)}
    />
  ));

type Place = Projection['place'];

const stepped = ({ place, positionAt }: Projection, position: Position, x: number, y: number): Position => {
  const [left, top] = place(position);
  return positionAt(left + x, top + y);
};

const pointsOf = (positions: readonly Position[], place: Place): string =>
  positions.map((each) => place(each).map(Math.round).join()).join(' ');

function Outline({ part: { form, positions }, place }: { readonly part: Part; readonly place: Place }) {
  if (form === 'point') return null;
  const points = pointsOf(positions, place);
  return form === 'line' ? <polyline className="map-line" points={points} /> : <polygon className="map-area" points={points} />;
}

function Land({ projection }: { readonly projection: Projection }) {
  const path = useMemo(() => land.map((outline) => `M${pointsOf(outline, projection.place)}Z`).join(''), [projection]);
  return <path className="map-land" d={path} />;
}

function Grid({ across, up, unit }: { readonly across: readonly GridLine[]; readonly up: readonly GridLine[]; readonly unit: string }) {
  return (
    <g className="map-grid">
      {across.map(({ value, place }) => (
        <g key={value}>
          <line x1={place} x2={place} y1={0} y2={mapHeight} />
          <text x={place + 4} y={mapHeight - 6}>
            {value}
            {unit}
          </text>
        </g>
      ))}
      {up.map(({ value, place }) => (
        <g key={value}>
          <line x1={0} x2={mapWidth} y1={place} y2={place} />
          <text x={6} y={place - 4}>
            {value}
            {unit}
          </text>
        </g>
      ))}
    </g>
  );
}

const Dot = ({ at: [x, y] }: { readonly at: readonly [number, number] }) => <circle className="map-dot" cx={x} cy={y} r={6} />;

interface HandleProps {
  readonly at: readonly [number, number];
  readonly label: string;
  readonly onPress: (event: PointerEvent) => void;
  /** In units of the map. */
  readonly onStep: (x: number, y: number) => void;
  readonly onRemove: () => void;
}

function Handle({ at: [x, y], label, onPress, onStep, onRemove }: HandleProps) {
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const isRemoved = event.key === 'Delete' || event.key === 'Backspace';
    if (step === undefined && !isRemoved) return;
    event.preventDefault();
    event.stopPropagation();
    const stride = event.shiftKey ? 20 : 2;
    if (step === undefined) onRemove();
    else onStep(step[0] * stride, step[1] * stride);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing cannot hold a button of HTML
    <g className="map-handle" role="button" tabIndex={0} aria-label={label} onPointerDown={onPress} onKeyDown={press}>
      <circle className="map-reach" cx={x} cy={y} r={18} />
      <circle className="map-dot" cx={x} cy={y} r={7} />
    </g>
  );
}
