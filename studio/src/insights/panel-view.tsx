// What a panel shows. What cannot be shown is said in it, and nothing else of the dashboard suffers.

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { textOfMarks } from '../displays/mark.js';
import { showValue } from '../displays/show-value.js';
import { titlesQuery } from '../filter/use-titles.js';
import { addressKey, keyText } from '../schema/item-key.js';
import type { Collection, Field } from '../schema/model.js';
import { plainText, renderTemplate, templateFor } from '../schema/templates.js';
import { translateAll } from '../schema/translations.js';
import { useStudio } from '../studio-context.js';
import { type Language, useLanguage } from '../text/use-text.js';
import { AxisChart } from './axis-chart.js';
import { useInsightsText } from './dashboard-data.js';
import { type Asked, colorOf, isKnownType, type Options, type Panel, type Precision, textOf } from './panel.js';
import { entriesIn, pointsIn, type Row, valueIn } from './panel-reads.js';
import { Meter, Ranking, Ring, type Share } from './shares.js';
import type { PanelState } from './use-panel-rows.js';

interface PanelViewProps {
  readonly panel: Pick<Panel, 'name' | 'type' | 'options'>;
  readonly state: PanelState;
}

export function PanelView({ panel: stored, state }: PanelViewProps) {
  const text = useInsightsText();
  const { schema, translate } = useStudio().boot;
  const panel = translateAll(translate, stored);
  if (!isKnownType(panel.type)) return <Quiet>{text.unknownType(panel.type)}</Quiet>;
  if (panel.type === 'label') return <p className="panel-label">{textOf(panel.options?.['text']) ?? ''}</p>;
  if (state.kind === 'nothing asked') return <Quiet>{text.unfinished}</Quiet>;
  if (state.kind === 'problem')
    return <Quiet>{state.problem.kind === 'not by week' ? text.notByWeek : text.notReadableNames(state.problem.names.join(', '))}</Quiet>;
  const { asked, rows, error } = state;
  const collection = schema.get(asked.collection);
  if (error !== null && rows === undefined) return <Quiet>{`${text.refused} ${error.message}`}</Quiet>;
  if (rows === undefined || collection === undefined)
    return (
      <p className="panel-quiet waiting" aria-busy="true">
        {text.loading}
      </p>
    );
  return <Answer panel={panel} asked={asked} rows={rows} collection={collection} />;
}

const Quiet = ({ children }: { readonly children: ReactNode }) => <p className="panel-quiet">{children}</p>;

interface AnswerProps {
  readonly panel: PanelViewProps['panel'];
  readonly asked: Asked;
  readonly rows: readonly Row[];
  readonly collection: Collection;
}

function Answer({ panel, asked, rows, collection }: AnswerProps) {
  const text = useInsightsText();
  const language = useLanguage();
  const options = panel.options ?? {};
  const format = formatter(language, options);
  const title = panel.name ?? text.functions[asked.fn];
  if (asked.type === 'list') return <Items asked={asked} rows={rows} collection={collection} />;
  if (asked.type === 'metric') return <Figure asked={asked} row={rows[0]} collection={collection} options={options} />;
  if (asked.type === 'meter') {
    const value = Number(valueIn(asked, rows[0]) ?? 0);
    return <Meter title={title} value={value} most={Number(options['max'] ?? 100)} format={format} />;
  }
  if (asked.date === null)
    return <Groups asked={asked} rows={rows} collection={collection} title={title} options={options} format={format} />;
  const moment = momentFormat(language.formats, asked.precision);
  const entries = pointsIn(asked, rows).map(({ time, value }) => ({ label: moment.format(time), value }));
  if (entries.length === 0) return <Quiet>{text.nothing}</Quiet>;
  return <AxisChart title={title} axis={text.time} entries={entries} form="line" format={format} />;
}

interface FigureProps {
  readonly asked: Asked;
  readonly row: Row | undefined;
  readonly collection: Collection;
  readonly options: Options;
}

function Figure({ asked, row, collection, options }: FigureProps) {
  const text = useInsightsText();
  const language = useLanguage();
  const { schema } = useStudio().boot;
  const value = valueIn(asked, row);
  const field = asked.field === null ? undefined : collection.fieldsByName.get(asked.field);
  const isCount = asked.fn.startsWith('count');
  const shown =
    value === null
      ? null
      : isCount || field === undefined || numeric.has(field.type)
        ? formatter(language, options)(value as number | string)
        : textOfMarks(showValue({ language, schema }, field, value));
  return (
    <p className="panel-figure" style={{ color: conditionColor(options, value) ?? undefined }}>
      {shown ?? <span className="panel-quiet">{text.noValue}</span>}
    </p>
  );
}

const numeric = new Set(['integer', 'bigInteger', 'decimal', 'float']);

/** The colour of the last condition that holds. */
function conditionColor(options: Options, value: unknown): string | null {
  const rules = Array.isArray(options['conditionalFormatting']) ? (options['conditionalFormatting'] as readonly Options[]) : [];
  const [left, found] = [
    Number(value),
    rules.filter(({ operator, value: right }) => holds(String(operator), Number(value), Number(right))),
  ];
  return Number.isNaN(left) ? null : colorOf(found.at(-1)?.['color']);
}

function holds(operator: string, left: number, right: number): boolean {
  switch (operator) {
    case '=':
      return left === right;
    case '!=':
      return left !== right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '<':
      return left < right;
    default:
      return operator === '<=' && left <= right;
  }
}

/** Text is an exact decimal or a number too large for others: it is written digit by digit. */
function formatter({ formats }: Language, options: Options): (value: number | string) => string {
  const digits = (name: string): number | undefined => {
    const given = options[name] === null || options[name] === undefined ? Number.NaN : Number(options[name]);
    return Number.isInteger(given) && given >= 0 && given <= 10 ? given : undefined;
  };
  const least = digits('minimumFractionDigits') ?? digits('decimals') ?? 0;
  const most = Math.max(least, digits('maximumFractionDigits') ?? digits('decimals') ?? 2);
  const isShort = options['notation'] === 'compact' || options['abbreviate'] === true;
  const number = new Intl.NumberFormat(formats, {
    minimumFractionDigits: least,
    maximumFractionDigits: most,
    ...(isShort ? { notation: 'compact' } : {}),
  });
  const [before, after] = [textOf(options['prefix']) ?? '', textOf(options['suffix']) ?? ''];
  return (value) => `${before}${number.format(value as number)}${after}`;
}

function momentFormat(formats: string, precision: Precision): Intl.DateTimeFormat {
  const options: Readonly<Record<Precision, Intl.DateTimeFormatOptions>> = {
    hour: { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    day: { month: 'short', day: 'numeric' },
    week: { month: 'short', day: 'numeric' },
    month: { month: 'short', year: 'numeric' },
    year: { year: 'numeric' },
  };
  return new Intl.DateTimeFormat(formats, { ...options[precision], timeZone: 'UTC' });
}

interface GroupsProps {
  readonly asked: Asked;
  readonly rows: readonly Row[];
  readonly collection: Collection;
  readonly title: string;
  readonly options: Options;
  readonly format: (value: number) => string;
}

function Groups({ asked, rows, collection, title, options, format }: GroupsProps) {
  const text = useInsightsText();
  const field = collection.fieldsByName.get(asked.category ?? '');
  const found = entriesIn(asked, rows);
  const labelOf = useLabels(
    field,
    found.map(({ key }) => key),
  );
  if (found.length === 0) return <Quiet>{text.nothing}</Quiet>;
  const entries: readonly Share[] = found.map(({ key, value }) => ({ label: labelOf(key), value }));
  if (asked.type === 'pie-chart') return <Ring entries={entries} format={format} />;
  if (asked.type === 'metric-list' || options['horizontal'] === true) return <Ranking entries={entries} format={format} />;
  const form = asked.type === 'line-chart' ? 'line' : 'columns';
  return <AxisChart title={title} axis={field?.title ?? ''} entries={entries} form={form} format={format} />;
}

/** The words for the groups: choices by their texts, related items by their titles, which one request reads. */
function useLabels(field: Field | undefined, keys: readonly unknown[]): (key: unknown) => string {
  const text = useInsightsText();
  const language = useLanguage();
  const { schema } = useStudio().boot;
  const related = field?.relation?.kind === 'm2o' ? schema.get(field.relation.related) : undefined;
  const asked = keys.filter((key) => key !== null).map(plainText);
  const { data } = useQuery({
    ...titlesQuery(related ?? nowhere, related?.key ?? '', asked.toSorted()),
    enabled: related !== undefined && related.key !== null && asked.length > 0,
  });
  const titles = new Map(data ?? []);
  return (key) => {
    if (key === null || key === '') return text.empty;
    if (related !== undefined) return titles.get(`${related.name}/${plainText(key)}`) ?? plainText(key);
    return field === undefined ? plainText(key) : textOfMarks(showValue({ language, schema }, field, key)) || plainText(key);
  };
}

const nowhere = { name: '' } as Collection;

interface ItemsProps {
  readonly asked: Asked;
  readonly rows: readonly Row[];
  readonly collection: Collection;
}

function Items({ asked, rows, collection }: ItemsProps) {
  const text = useInsightsText();
  const template = templateFor(collection, asked.template);
  const { name } = collection;
  if (rows.length === 0) return <Quiet>{text.nothing}</Quiet>;
  return (
    <ul className="panel-list">
      {rows.map((row, index) => {
        const key = keyText(collection, row);
        const itemKey = key ?? String(index);
        const title = renderTemplate(template, row) || itemKey;
        return (
          <li key={itemKey}>
            {key === null || collection.isSystem ? (
              title
            ) : (
              <Link href={`/c/${encodeURIComponent(name)}/${addressKey(itemKey)}`}>{title}</Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}
