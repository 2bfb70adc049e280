// The map itself: grid, shapes, and handles that are dragged or moved by the arrow keys. Nothing is asked of another server.

import { type KeyboardEvent, type PointerEvent, type RefObject, useMemo, useRef } from 'react';
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

/** Rough outlines of the continents, for orientation on a map of the world. Longitude and latitude in turn. */
const outlines = [
  '-168 66 -156 71 -128 70 -110 68 -95 72 -82 68 -94 60 -85 55 -80 51 -78 62 -65 59 -56 52 -66 50 -60 46 -70 43 -76 35 -81 31 -80 25 -84 30 -97 28 -97 22 -94 18 -87 21 -88 16 -83 15 -83 10 -78 9 -81 7 -92 14 -105 20 -113 31 -115 31 -110 23 -117 33 -124 40 -124 48 -135 58 -150 60 -165 54 -158 59 -166 62',
  '-73 78 -60 82 -30 83 -18 80 -22 70 -40 65 -44 60 -52 66 -56 75',
  '-78 9 -72 12 -60 9 -50 1 -35 -6 -39 -15 -48 -26 -58 -36 -65 -42 -68 -52 -74 -53 -75 -45 -71 -30 -70 -18 -81 -6 -80 1',
  '-6 35 10 37 11 33 20 31 32 31 35 28 43 12 51 12 42 -2 40 -12 35 -24 27 -34 18 -34 12 -17 9 -1 9 5 -8 5 -17 14 -16 22 -10 30',
  '-9 37 -9 43 -2 43 -4 48 4 52 8 54 8 57 11 57 11 54 20 54 24 58 30 60 22 60 25 65 21 64 17 61 18 59 13 55 11 59 6 58 5 62 14 68 25 71 41 67 40 64 45 68 60 69 68 69 73 72 82 73 104 78 114 74 140 72 160 70 180 69 178 65 163 60 156 51 160 59 142 59 135 54 141 50 131 43 128 40 129 35 126 35 125 39 118 39 122 37 119 34 122 30 117 23 108 21 109 12 105 9 101 13 104 1 98 9 97 17 90 22 80 15 77 8 73 20 67 25 57 26 50 30 51 25 56 26 59 22 52 16 43 13 35 28 34 31 36 36 27 37 27 40 41 41 37 46 31 46 28 41 23 40 23 37 20 40 13 45 18 40 16 38 10 44 3 43 -2 37',
  '-5 50 1 51 0 53 -2 57 -5 58 -5 54 -3 53',
  '-10 52 -6 52 -6 55 -9 54',
  '-24 65 -19 63 -14 65 -16 66 -22 66',
  '44 -25 47 -25 50 -15 44 -17',
  '130 31 135 34 140 35 142 41 140 41 136 36 131 34',
  '140 42 145 43 142 45',
  '95 5 104 -2 106 -6 100 0',
  '105 -7 114 -8 108 -8',
  '109 1 117 7 119 1 116 -4 110 -3',
  '120 18 122 14 126 7 123 8',
  '131 -1 141 -3 150 -10 143 -9 138 -8',
  '114 -22 122 -18 130 -12 136 -12 136 -15 140 -17 142 -11 146 -19 153 -27 150 -37 146 -39 140 -37 131 -31 115 -34',
  '173 -35 178 -38 175 -41',
  '173 -41 171 -44 169 -47 167 -46 170 -43',
];

const land: readonly (readonly (readonly number[])[])[] = outlines.map((outline) => {
  const numbers = outline.split(' ').map(Number);
  return Array.from({ length: numbers.length / 2 }, (_, index) => numbers.slice(2 * index, 2 * index + 2));
});
