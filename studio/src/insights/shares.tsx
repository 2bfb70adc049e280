// Parts of a whole: a ring with its legend, bars of a ranking, and a meter.

import { useInsightsText } from './dashboard-data.js';

export interface Share {
  readonly label: string;
  readonly value: number;
}

interface SharesProps {
  readonly entries: readonly Share[];
  readonly format: (value: number) => string;
}

/** More parts than these cannot be told apart by their colour. */
const mostParts = 7;
const radius = 42;
const round = 2 * Math.PI * radius;

export function Ring({ entries, format }: SharesProps) {
  const text = useInsightsText();
  const positive = entries.filter(({ value }) => value > 0);
  const rest = positive.slice(mostParts).reduce((sum, { value }) => sum + value, 0);
  const parts = rest === 0 ? positive : [...positive.slice(0, mostParts), { label: text.others, value: rest }];
  const whole = parts.reduce((sum, { value }) => sum + value, 0);
  if (whole === 0) return <p className="panel-quiet">{text.nothing}</p>;
  const percent = (value: number): string => `${((value / whole) * 100).toFixed(value / whole < 0.1 ? 1 : 0)} %`;
  let start = 0;
  return (
    <div className="ring">
      <svg viewBox="0 0 100 100" aria-hidden="true">
        {parts.map(({ label, value }, index) => {
          const length = (value / whole) * round;
          const offset = -start;
          start += length;
          return (
            <circle
              // biome-ignore lint/suspicious/noArrayIndexKey: two groups may have the same label
              key={`${index} ${label}`}
              className={`part-${index}`}
              cx="50"
              cy="50"
              r={radius}
              strokeDasharray={`${Math.max(0, length - (parts.length > 1 ? 1 : 0))} ${round}`}
              strokeDashoffset={offset}
            />
          );
        })}
        <text x="50" y="54" textAnchor="middle">
          {format(whole)}
        </text>
      </svg>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
      <ul className="legend" tabIndex={0}>
        {parts.map(({ label, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two groups may have the same label
          <li key={`${index} ${label}`}>
            <span className={`legend-dot part-${index}`} aria-hidden="true" />
            <span className="cut">{label}</span>
            <span className="figure">{format(value)}</span>
            <span className="figure hint">{percent(value)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Bars along the line: names of any length have room. */
export function Ranking({ entries, format }: SharesProps) {
  const most = Math.max(...entries.map(({ value }) => Math.abs(value)), 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
    <ol className="ranking" tabIndex={0}>
      {entries.map(({ label, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two groups may have the same label
        <li key={`${index} ${label}`}>
          <span className="cut">{label}</span>
          <span className="figure">{format(value)}</span>
          <span className="ranking-bar" aria-hidden="true">
            <span style={{ inlineSize: `${most === 0 ? 0 : (Math.abs(value) / most) * 100}%` }} />
          </span>
        </li>
      ))}
    </ol>
  );
}

interface MeterProps {
  readonly title: string;
  readonly value: number;
  readonly most: number;
  readonly format: (value: number) => string;
}

export function Meter({ title, value, most, format }: MeterProps) {
  const part = most <= 0 ? 0 : Math.min(Math.max(value / most, 0), 1);
  return (
    <div className="meter">
      <p className="panel-figure">{format(value)}</p>
      <meter className="visually-hidden" aria-label={title} value={Math.min(Math.max(value, 0), most)} max={Math.max(most, 0)} />
      <span className="meter-bar" aria-hidden="true">
        <span style={{ inlineSize: `${part * 100}%` }} />
      </span>
      <span className="hint">{`${Math.round(part * 100)} % / ${format(most)}`}</span>
    </div>
  );
}
