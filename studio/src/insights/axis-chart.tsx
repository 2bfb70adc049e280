// Values along an axis, as a line or as columns, in SVG. Pointing shows the value at that place; screen readers get a table.

import { type PointerEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { useLanguage } from '../text/use-text.js';

interface ChartEntry {
  readonly label: string;
  /** Null: no value at this place. */
  readonly value: number | null;
}

interface AxisChartProps {
  readonly title: string;
  /** What the places along the axis are. */
  readonly axis: string;
  readonly entries: readonly ChartEntry[];
  readonly form: 'line' | 'columns';
  readonly format: (value: number) => string;
}

const margin = { top: 10, end: 10, bottom: 24 };
const labelRoom = 76;
const digitWidth = 7;

export function AxisChart({ title, axis, entries, form, format }: AxisChartProps) {
  const [frame, size] = useSize();
  const [pointed, setPointed] = useState<number | null>(null);
  const { direction, number } = useLanguage();
  const gradient = useId();
  const ticks = roundScale(entries.flatMap(({ value }) => (value === null ? [] : [value])));
  const tickText = (tick: number): string => (Math.abs(tick) >= 10_000 ? compact(number, tick) : number.format(tick));
  const start = Math.max(...ticks.map((tick) => tickText(tick).length)) * digitWidth + 10;
  const [width, height] = [Math.max(0, size.width - start - margin.end), Math.max(0, size.height - margin.top - margin.bottom)];
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const isFlipped = direction === 'rtl';
  const slot = width / Math.max(1, form === 'columns' ? entries.length : entries.length - 1);
  const along = (index: number): number => {
    const offset = form === 'columns' ? (index + 0.5) * slot : entries.length === 1 ? width / 2 : index * slot;
    return isFlipped ? margin.end + width - offset : start + offset;
  };
  const up = (value: number): number => margin.top + height - ((value - low) / (high - low)) * height;
  const lineStart = isFlipped ? margin.end : start;
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const place = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const offset = isFlipped ? margin.end + width - place : place - start;
    const index = form === 'columns' ? Math.floor(offset / slot) : Math.round(offset / (slot || 1));
    setPointed(Math.min(Math.max(index, 0), entries.length - 1));
  };
  const shown = pointed === null ? undefined : entries[pointed];
  return (
    <div className="chart" ref={frame}>
      {size.width > 0 && (
        <svg width={size.width} height={size.height} aria-hidden="true" onPointerMove={point} onPointerLeave={() => setPointed(null)}>
          <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stopColor="var(--panel-color)" stopOpacity="0.28" />
            <stop offset="1" stopColor="var(--panel-color)" stopOpacity="0.02" />
          </linearGradient>
          {ticks.map((tick) => (
            <g key={tick}>
              <line
                className={tick === 0 ? 'chart-base' : 'chart-line'}
                x1={lineStart}
                x2={lineStart + width}
                y1={up(tick)}
                y2={up(tick)}
              />
              <text x={isFlipped ? size.width - 4 : start - 8} y={up(tick) + 4} textAnchor="end">
                {tickText(tick)}
              </text>
            </g>
          ))}
          {labelPlaces(entries.length, width, labelRoom).map((index) => (
            <text key={index} x={along(index)} y={size.height - 6} textAnchor={anchorOf(index, entries.length, form, isFlipped)}>
              {cut(entries[index]?.label ?? '', form === 'columns' ? Math.max(slot, labelRoom - 8) : labelRoom + 20)}
            </text>
          ))}
          {form === 'line' ? (
            <Line entries={entries} along={along} up={up} base={up(Math.max(low, 0))} fill={`url(#${gradient})`} />
          ) : (
            entries.map(({ label, value }, index) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: two groups may have the same label
                key={`${index} ${label}`}
                className="chart-column"
                data-pointed={index === pointed}
                x={along(index) - Math.min(slot * 0.35, 28)}
                width={Math.min(slot * 0.7, 56)}
                y={Math.min(up(value ?? 0), up(0))}
                height={Math.abs(up(value ?? 0) - up(0))}
                rx="3"
              />
            ))
          )}
          {form === 'line' && pointed !== null && typeof shown?.value === 'number' && (
            <>
              <line className="chart-cursor" x1={along(pointed)} x2={along(pointed)} y1={margin.top} y2={margin.top + height} />
              <circle className="chart-dot" cx={along(pointed)} cy={up(shown.value)} r="4" />
            </>
          )}
        </svg>
      )}
      {pointed !== null && shown !== undefined && (
        <div
          className="chart-tip"
          style={{ left: Math.min(Math.max(along(pointed), 70), Math.max(70, size.width - 70)) }}
          aria-hidden="true"
        >
          <strong>{shown.value === null ? '–' : format(shown.value)}</strong>
          <span>{shown.label}</span>
        </div>
      )}
      <HiddenTable title={title} axis={axis} entries={entries} format={format} />
    </div>
  );
}

function HiddenTable({ title, axis, entries, format }: Omit<AxisChartProps, 'form'>) {
  return (
    <table className="visually-hidden">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{axis}</th>
          <th scope="col">{title}</th>
        </tr>
      </thead>
      <tbody>
        {entries.slice(-maxTableRows).map(({ label, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two groups may have the same label
          <tr key={`${index} ${label}`}>
            <th scope="row">{label}</th>
            <td>{value === null ? '–' : format(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The most rows of the table for screen readers. */
const maxTableRows = 60;

interface LineProps {
  readonly entries: readonly ChartEntry[];
  readonly along: (index: number) => number;
  readonly up: (value: number) => number;
  /** Where zero is. */
  readonly base: number;
  readonly fill: string;
}

/** Places without a value are gaps of the line. */
function Line({ entries, along, up, base, fill }: LineProps) {
  const runs: { readonly x: number; readonly y: number }[][] = [];
  let run: { readonly x: number; readonly y: number }[] | null = null;
  entries.forEach(({ value }, index) => {
    if (value === null) run = null;
    else {
      if (run === null) {
        run = [];
        runs.push(run);
      }
      run.push({ x: along(index), y: up(value) });
    }
  });
  return runs.map((points) => {
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) return null;
    if (points.length === 1) return <circle key={first.x} className="chart-dot" cx={first.x} cy={first.y} r="3" />;
    const path = `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`;
    return (
      <g key={first.x}>
        <path d={`${path}L${last.x} ${base}L${first.x} ${base}Z`} fill={fill} />
        <path d={path} className="chart-path" />
      </g>
    );
  });
}

function anchorOf(index: number, count: number, form: 'line' | 'columns', isFlipped: boolean): 'start' | 'middle' | 'end' {
  if (form === 'columns' || count === 1) return 'middle';
  if (index === 0) return isFlipped ? 'end' : 'start';
  if (index === count - 1) return isFlipped ? 'start' : 'end';
  return 'middle';
}

const cut = (label: string, room: number): string => {
  const most = Math.max(3, Math.floor(room / digitWidth));
  return label.length <= most ? label : `${label.slice(0, most - 1)}…`;
};

const compact = (number: Intl.NumberFormat, value: number): string =>
  new Intl.NumberFormat(number.resolvedOptions().locale, { notation: 'compact' }).format(value);

/** The size of an element, whenever it changes. */
function useSize() {
  const element = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      const { width, height } = entry.contentRect;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, size] as const;
}

/** From at most zero to at least the largest value, in about `count` round steps. */
export function roundScale(values: readonly number[], count = 4): readonly number[] {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  if (low === high) return [0, 1];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10) * power;
  const ticks: number[] = [];
  for (let tick = Math.floor(low / step); tick * step < high + step && ticks.length < 50; tick += 1) ticks.push(tidy(tick * step));
  return ticks.at(-2) !== undefined && (ticks.at(-2) as number) >= high ? ticks.slice(0, -1) : ticks;
}

/** Without the digits that adding fractions leaves behind. */
const tidy = (value: number): number => Number(value.toPrecision(12));

/** Places of labels, evenly spread, with at least `room` between them. */
export function labelPlaces(count: number, width: number, room: number): readonly number[] {
  const most = Math.max(1, Math.floor(width / room));
  const step = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}
