// The panels of a dashboard at their places. While it is edited they are moved and resized, by pointer and by keyboard; the places are stored
// by themselves a moment after the last move. On phones the panels are below each other in reading order.

import { type KeyboardEvent, type PointerEvent, type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../primitives/icon.js';
import { useStudio } from '../studio-context.js';
import { useLanguage } from '../text/use-text.js';
import { placesOf, useInsightsText } from './dashboard-data.js';
import { columnsOf, onGrid, type Place, type Places, rowHeight, settle } from './layout.js';
import { colorOf, type Panel } from './panel.js';

interface PanelGridProps {
  readonly panels: readonly Panel[];
  readonly isEdited: boolean;
  readonly nameOf: (panel: Panel) => string;
  readonly onPlaced: (before: Places, after: Places) => void;
  /** The buttons of a panel while it is edited. */
  readonly actions: (panel: Panel) => ReactNode;
  readonly children: (panel: Panel) => ReactNode;
}

/** The pause after the last move before the places are stored. */
const pauseMs = 700;

export function PanelGrid({ panels, isEdited, nameOf, onPlaced, actions, children }: PanelGridProps) {
  const text = useInsightsText();
  const { translate } = useStudio().boot;
  const hint = useId();
  const grid = useRef<HTMLDivElement>(null);
  const { places, move, announcement } = useMoves(panels, nameOf, onPlaced);
  const columns = columnsOf(places);
  return (
    <>
      {isEdited && (
        <p id={hint} className="hint grid-hint">
          {text.moveHint}
        </p>
      )}
      <div className="panel-grid" ref={grid} data-edited={isEdited} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
        {panels.map((panel) => {
          const place = places.get(panel.id);
          if (place === undefined) return null;
          return (
            <section
              key={panel.id}
              className="panel"
              aria-label={nameOf(panel)}
              style={{ ...gridArea(place), ...colorStyle(panel), '--panel-rows': place.height } as React.CSSProperties}
            >
              <div className="panel-card">
                {(panel.show_header || isEdited) && (
                  <header className="panel-head">
                    {isEdited && (
                      <Handle
                        label={text.movePanel(nameOf(panel))}
                        hint={hint}
                        place={place}
                        columns={columns}
                        grid={grid}
                        isCorner={false}
                        onMove={(next) => move(panel, next)}
                      />
                    )}
                    <h2 className="cut">{nameOf(panel)}</h2>
                    {isEdited && actions(panel)}
                  </header>
                )}
                <div className="panel-body">{children(panel)}</div>
                {panel.note !== null && panel.note !== '' && <p className="hint panel-note">{translate(panel.note)}</p>}
                {isEdited && (
                  <Handle
                    label={text.resizePanel(nameOf(panel))}
                    hint={hint}
                    place={place}
                    columns={columns}
                    grid={grid}
                    isCorner
                    onMove={(next) => move(panel, next)}
                  />
                )}
              </div>
            </section>
          );
        })}
      </div>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </>
  );
}

const gridArea = ({ x, y, width, height }: Place) => ({
  gridColumn: `${x} / span ${width}`,
  gridRow: `${y} / span ${height}`,
});

function colorStyle({ color }: Panel): Readonly<Record<string, string>> {
  const own = colorOf(color);
  return own === null ? {} : { '--panel-color': own };
}

/** The places while panels are moved; passed on after a pause without moves, and when the screen is left. */
function useMoves(panels: readonly Panel[], nameOf: (panel: Panel) => string, onPlaced: PanelGridProps['onPlaced']) {
  const text = useInsightsText();
  const [moved, setMoved] = useState<Places | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const stored = placesOf(panels);
  // A panel that was added meanwhile is shown at its stored place.
  const places: Places = new Map([...stored].map(([id, place]) => [id, moved?.get(id) ?? place]));
  const pending = useRef<{ readonly before: Places; readonly after: Places } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const report = useRef(onPlaced);
  report.current = onPlaced;
  const flush = useCallback(() => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
    if (pending.current !== null) report.current(pending.current.before, pending.current.after);
    pending.current = null;
    setMoved(null);
  }, []);
  useEffect(() => flush, [flush]);
  const move = (panel: Panel, target: Place) => {
    const after = settle(places, panel.id, target);
    pending.current = { before: pending.current?.before ?? stored, after };
    setMoved(after);
    const { x, y, width, height } = after.get(panel.id) ?? target;
    setAnnouncement(text.placed(nameOf(panel), x, y, width, height));
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = setTimeout(flush, pauseMs);
  };
  return { places, move, announcement };
}

interface HandleProps {
  readonly label: string;
  readonly hint: string;
  readonly place: Place;
  readonly columns: number;
  readonly grid: React.RefObject<HTMLDivElement | null>;
  /** The corner changes the size; keys do both at the handle in the head. */
  readonly isCorner: boolean;
  readonly onMove: (place: Place) => void;
}

function Handle({ label, hint, place, columns, grid, isCorner, onMove }: HandleProps) {
  const { direction } = useLanguage();
  const drag = useRef<{ readonly x: number; readonly y: number; readonly from: Place } | null>(null);
  const toEnd = direction === 'rtl' ? -1 : 1;
  const shift = (across: number, down: number, from: Place, resizes: boolean) => {
    const next = resizes
      ? { ...from, width: Math.min(from.width + across, columns - from.x + 1), height: from.height + down }
      : { ...from, x: from.x + across, y: from.y + down };
    const settled = onGrid(next, columns);
    if (JSON.stringify(settled) !== JSON.stringify(place)) onMove(settled);
  };
  const begin = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, y: event.clientY, from: place };
  };
  const follow = (event: PointerEvent<HTMLButtonElement>) => {
    if (drag.current === null || grid.current === null) return;
    const column = grid.current.clientWidth / columns;
    const across = Math.round(((event.clientX - drag.current.x) * toEnd) / column);
    shift(across, Math.round((event.clientY - drag.current.y) / rowHeight), drag.current.from, isCorner);
  };
  const end = () => {
    drag.current = null;
  };
  const press = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-toEnd, 0],
      ArrowRight: [toEnd, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    shift(step[0], step[1], place, isCorner || event.shiftKey);
  };
  return (
    <button
      type="button"
      className={isCorner ? 'panel-corner' : 'button quiet icon-only panel-handle'}
      aria-label={label}
      aria-describedby={hint}
      onPointerDown={begin}
      onPointerMove={follow}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={press}
    >
      {isCorner ? null : <Icon name="grip" />}
    </button>
  );
}
