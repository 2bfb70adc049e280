// Geometries on a map without a map server: points, lines and areas over a grid of degrees, and as GeoJSON text. What the map cannot show is
// edited as text, and stays as it is until then.

import { useId, useState } from 'react';
import { Icon } from '../../primitives/icon.js';
import { isTyped, typedText } from '../../schema/typed.js';
import { useLanguage, useText } from '../../text/use-text.js';
import { printNumber, readNumber } from '../../values/read-number.js';
import { CodeInput } from '../editors/code-input.js';
import type { InterfaceProps } from '../interface-props.js';
import { MultilineInput } from '../plain-inputs.js';
import { MapDrawing, type MapEdits, mostHandles } from './map-drawing.js';
import { projectionOf, type View, viewFrom, viewOf, zoomed } from './projection.js';
import {
  addPart,
  canGrow,
  formOf,
  geometriesOf,
  isGeometry,
  isKind,
  type Kind,
  leastOf,
  type Position,
  partsOf,
  withPart,
} from './shape.js';

export function MapInput(props: InterfaceProps) {
  const text = useText();
  const { field, value } = props;
  // Decided once: whoever types GeoJSON below the map passes through texts that are no shape.
  const [isMap] = useState(() => isTyped(value) || value === null || value === undefined || geometriesOf(value) !== null);
  const isJson = field.type === 'json' || field.type.startsWith('geometry');
  if (!isJson) return <MultilineInput {...props} />;
  if (!isMap)
    return (
      <>
        <CodeInput {...props} />
        <p className="hint">{text.mapUnknown}</p>
      </>
    );
  return <MapEditor {...props} />;
}

/** The kind that a field takes; null: any. */
function kindOf({ type, options }: InterfaceProps['field']): Kind | null {
  const named = type.startsWith('geometry.') ? type.slice('geometry.'.length) : options['geometryType'];
  return isKind(named) ? named : null;
}

function MapEditor(props: InterfaceProps) {
  const text = useText();
  const { field, isReadOnly, labelledBy, describedBy } = props;
  const hintId = useId();
  const shape = useShape(props);
  const { parts, positions, unfinished, edit, held } = shape;
  const [isText, setText] = useState(() => held !== null && geometriesOf(held) === null);
  const [view, setView] = useState<View>(() => viewOf(positions, viewFrom(field.options)));
  const zoom = (factor: number | null) => setView(factor === null ? viewOf([...positions, ...unfinished], null) : zoomed(view, factor));
  return (
    <fieldset className="plain-set map-field" aria-labelledby={labelledBy} aria-describedby={describedBy}>
      <div className="map-tools">
        {edit !== null && <ShapeTools {...props} shape={shape} />}
        <span className="map-gap" />
        {!isReadOnly && (positions.length > 0 || unfinished.length > 0) && (
          <button type="button" className="button quiet small" onClick={shape.clear}>
            {text.clear}
          </button>
        )}
        <button type="button" className="button quiet small" aria-expanded={isText} onClick={() => setText(!isText)}>
          <Icon name="code" />
          GeoJSON
        </button>
      </div>
      <div className="map-place">
        <MapDrawing
          label={text.mapOf(field.title)}
          describedBy={hintId}
          projection={projectionOf(positions, view)}
          parts={parts}
          unfinished={unfinished}
          edit={edit}
          onView={setView}
          onZoom={zoom}
        />
        <ZoomButtons onZoom={zoom} />
      </div>
      <p className="hint" id={hintId} aria-live="polite">
        {isReadOnly ? text.mapCount(positions.length) : shape.hint}
      </p>
      {isText && <CodeInput {...props} value={held} />}
    </fieldset>
  );
}

/** A part that has too few positions yet is part of the draft, so that it is neither lost nor saved. */
interface Begun {
  readonly kind: Kind;
  readonly positions: readonly Position[];
}

const nothingBegun = { begun: null, held: null };

/** What the field holds besides a part that is begun, or coordinates that are typed in part. */
function readHeld(value: unknown): { readonly begun: Begun | null; readonly held: unknown } {
  if (value === null || value === undefined) return nothingBegun;
  if (!isTyped(value)) return { begun: null, held: value };
  if (value.fault === 'part') return { begun: JSON.parse(value.text) as Begun, held: value.rest ?? null };
  return { begun: null, held: value.fault === 'number' ? (value.rest ?? null) : value };
}

/** The value as parts, what is begun, and how both are edited. */
function useShape({ field, value, isReadOnly, onChange }: InterfaceProps) {
  const text = useText();
  const fixed = kindOf(field);
  const { begun, held } = readHeld(value);
  const [chosen, setChosen] = useState<Kind>(fixed ?? begun?.kind ?? 'Point');
  const unfinished = begun?.positions ?? [];
  const [isAdding, setAdding] = useState(false);
  const geometries = geometriesOf(held) ?? [];
  const geometry = isGeometry(held) ? held : null;
  const kind = geometry?.type ?? chosen;
  const form = formOf(kind);
  const parts = geometries.flatMap((each, index) =>
    partsOf(each).map((part) => (geometry === null ? { ...part, at: [index, ...part.at] } : part)),
  );
  const positions = parts.flatMap((part) => part.positions);
  const draw = (position: Position) => {
    const drawn = [...unfinished, position];
    if (drawn.length < leastOf[form]) return onChange(typedText(JSON.stringify({ kind, positions: drawn } satisfies Begun), 'part', held));
    setAdding(false);
    onChange(addPart(geometry, kind, drawn));
  };
  const edit: MapEdits = {
    handleLabel: ([x = 0, y = 0]) => text.mapPoint(`${y}, ${x}`),
    onAdd: (position, place) => {
      if (geometry === null || isAdding || place === null || form === 'point') return draw(position);
      const [part, index] = place;
      onChange(withPart(geometry, part, part.positions.toSpliced(index, 0, position)));
    },
    onMove: (part, index, [x = 0, y = 0]) => {
      const [, , ...further] = part.positions[index] ?? [];
      if (geometry !== null) onChange(withPart(geometry, part, part.positions.with(index, [x, y, ...further])));
    },
    onRemove: (part, index) => geometry !== null && onChange(withPart(geometry, part, part.positions.toSpliced(index, 1))),
  };
  const isEditable = !isReadOnly && (geometry !== null || held === null) && positions.length <= mostHandles;
  const isDrawing = unfinished.length > 0 || isAdding || geometry === null;
  return {
    parts,
    positions,
    unfinished,
    held,
    kind,
    edit: isEditable ? edit : null,
    hint: isEditable ? (isDrawing ? text.mapDraw(form, leastOf[form] - unfinished.length) : text.mapEdit(form)) : text.mapAsText,
    draw,
    /** Null when the kind is settled. */
    choose:
      geometry !== null || fixed !== null
        ? null
        : (next: Kind) => {
            setAdding(false);
            setChosen(next);
            if (begun !== null) onChange(held);
          },
    /** Null when the shape has one part only. */
    adding: geometry !== null && canGrow(kind) && form !== 'point' ? { isOn: isAdding, toggle: () => setAdding(!isAdding) } : null,
    clear: () => {
      setAdding(false);
      onChange(null);
    },
  };
}

interface ShapeToolsProps extends InterfaceProps {
  readonly shape: ReturnType<typeof useShape>;
}

function ShapeTools({ id, value, onChange, shape: { kind, parts, held, choose, adding } }: ShapeToolsProps) {
  const text = useText();
  return (
    <>
      {choose !== null && (
        <select
          className="input"
          aria-label={text.mapKind}
          value={kind}
          onChange={(event) => isKind(event.target.value) && choose(event.target.value)}
        >
          {Object.entries(text.mapKinds).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      )}
      {kind === 'Point' && <Coordinates {...{ id, value, held, onChange }} position={parts[0]?.positions[0] ?? null} />}
      {adding !== null && (
        <button type="button" className="button quiet small" aria-pressed={adding.isOn} onClick={adding.toggle}>
          <Icon name="plus" />
          {text.mapAddPart}
        </button>
      )}
    </>
  );
}

function ZoomButtons({ onZoom }: { readonly onZoom: (factor: number | null) => void }) {
  const text = useText();
  return (
    <div className="map-zoom">
      <button type="button" className="button icon-only" aria-label={text.zoomIn} onClick={() => onZoom(2)}>
        <Icon name="plus" />
      </button>
      <button type="button" className="button icon-only" aria-label={text.zoomOut} onClick={() => onZoom(0.5)}>
        <Icon name="minus" />
      </button>
      <button type="button" className="button icon-only" aria-label={text.zoomFit} title={text.zoomFit} onClick={() => onZoom(null)}>
        <Icon name="fit" />
      </button>
    </div>
  );
}

interface CoordinatesProps {
  readonly id: string;
  readonly value: unknown;
  /** The shape without what is typed here. */
  readonly held: unknown;
  readonly position: Position | null;
  readonly onChange: (value: unknown) => void;
}

/** A point has two numbers, which people often have at hand: exact, and without a pointer. */
function Coordinates({ id, value, held, position, onChange }: CoordinatesProps) {
  const text = useText();
  const language = useLanguage();
  const [typed, setTyped] = useState<readonly [string, string] | null>(null);
  const stored = position === null ? ['', ''] : [printNumber(position[1], language), printNumber(position[0], language)];
  const read = (each: string) => readNumber('float', each, language);
  const isBroken = isTyped(value) && value.fault === 'number';
  const isSaid = position !== null && typed !== null && read(typed[0]) === position[1] && read(typed[1]) === position[0];
  const shown: readonly string[] = isBroken ? (JSON.parse(value.text) as readonly string[]) : isSaid ? typed : stored;
  const [latitude = '', longitude = ''] = shown;
  const change = (next: readonly [string, string]) => {
    setTyped(next);
    const [y, x] = next.map(read);
    if (typeof x === 'number' && typeof y === 'number') return onChange(addPart(null, 'Point', [[x, y, ...(position ?? []).slice(2)]]));
    if (next.every((each) => each.trim() === '')) return onChange(null);
    onChange(typedText(JSON.stringify(next), 'number', held));
  };
  return (
    <>
      <input
        id={id}
        className="input"
        inputMode="decimal"
        aria-label={text.latitude}
        placeholder={text.latitude}
        value={latitude}
        onChange={(event) => change([event.target.value, longitude])}
      />
      <input
        className="input"
        inputMode="decimal"
        aria-label={text.longitude}
        placeholder={text.longitude}
        value={longitude}
        onChange={(event) => change([latitude, event.target.value])}
      />
    </>
  );
}
