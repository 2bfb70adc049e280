// What a panel asks for: of which items, which value of them, along what.

import { lazy, Suspense, useEffect, useState } from 'react';
import { type FilterGroup, isFinished, noFilter, printFilter, readFilter } from '../filter/filter-tree.js';
import { Icon } from '../primitives/icon.js';
import type { Collection, Field } from '../schema/model.js';
import { useStudio } from '../studio-context.js';
import { useInsightsText } from './dashboard-data.js';
import { type Options, optionNames, type PanelType, precisions, textOf, type ValueFunction } from './panel.js';
import { Choice, TextPart } from './panel-parts.js';

const FilterBuilder = lazy(async () => ({ default: (await import('../filter/filter-builder.js')).FilterBuilder }));

interface QuestionProps {
  readonly type: Exclude<PanelType, 'label'>;
  readonly options: Options;
  readonly onChange: (options: Options) => void;
}

interface WholeQuestionProps extends QuestionProps {
  /** Marks conditions that are not finished. */
  readonly isChecked: boolean;
  /** Whether the filter says all that it shows. */
  readonly onFinished: (isFinished: boolean) => void;
}

/** Of which items, and what of them. */
export function Question({ type, options, isChecked, onChange, onFinished }: WholeQuestionProps) {
  const text = useInsightsText();
  const { schema } = useStudio().boot;
  const names = optionNames[type];
  const collections = [...schema.values()].filter(
    (each) => !each.isFolder && each.keys.length > 0 && (!each.isSystem || each.name === options['collection']),
  );
  const collection = schema.get(textOf(options['collection']) ?? '');
  const option = (name: string | undefined): string => (name === undefined ? '' : (textOf(options[name]) ?? ''));
  return (
    <>
      <Choice
        label={text.collection}
        value={collection?.name ?? ''}
        choices={collections.map(({ name, title }) => [name, title])}
        none={text.chooseCollection}
        onChange={(name) =>
          onChange({ ...cleared(names), collection: name, filter: undefined, sortField: undefined, ...guess(schema.get(name), names) })
        }
      />
      {collection !== undefined && names.fn !== undefined && (
        <ValueChoice
          collection={collection}
          fn={(option(names.fn) || 'count') as ValueFunction}
          field={option(names.field)}
          isSingle={type === 'metric'}
          onChange={(fn, field) => onChange({ [names.fn as string]: fn, [names.field as string]: field })}
        />
      )}
      {collection !== undefined && names.category !== undefined && (
        <FieldChoice
          label={text.by}
          fields={collection.fields.filter(isGroupable)}
          value={option(names.category)}
          onChange={(field) => onChange({ [names.category as string]: field })}
        />
      )}
      {collection !== undefined && names.date !== undefined && (
        <DatePart collection={collection} name={names.date} options={options} onChange={onChange} />
      )}
      <Bounds type={type} collection={collection} options={options} onChange={onChange} />
      {collection !== undefined && (
        <FilterPart
          key={collection.name}
          collection={collection}
          filter={options['filter']}
          isChecked={isChecked}
          onChange={(filter) => onChange({ filter })}
          onFinished={onFinished}
        />
      )}
    </>
  );
}

interface DatePartProps {
  readonly collection: Collection;
  /** Of the option that holds the field. */
  readonly name: string;
  readonly options: Options;
  readonly onChange: (options: Options) => void;
}

function DatePart({ collection, name, options, onChange }: DatePartProps) {
  const text = useInsightsText();
  const range = textOf(options['range']) ?? '';
  return (
    <>
      <FieldChoice
        label={text.dateField}
        fields={collection.fields.filter(isMoment)}
        value={textOf(options[name]) ?? ''}
        onChange={(field) => onChange({ [name]: field })}
      />
      <div className="panel-pair">
        <Choice
          label={text.precision}
          value={textOf(options['precision']) ?? 'day'}
          choices={precisions.map((each) => [each, text.precisions[each]])}
          onChange={(precision) => onChange({ precision })}
        />
        <Choice
          label={text.range}
          value={range in text.ranges ? range : 'all'}
          choices={Object.entries(text.ranges)}
          onChange={(chosen) => onChange({ range: chosen === 'all' ? undefined : chosen })}
        />
      </div>
    </>
  );
}

interface BoundsProps extends QuestionProps {
  readonly collection: Collection | undefined;
}

/** How many of them, in which order, and what a full meter is. */
function Bounds({ type, collection, options, onChange }: BoundsProps) {
  const text = useInsightsText();
  const numberPart = (label: string, name: string, usual: number) => (
    <TextPart
      label={label}
      type="number"
      value={String(options[name] ?? usual)}
      onChange={(value) => onChange({ [name]: value === '' ? undefined : Number(value) })}
    />
  );
  return (
    <>
      {collection !== undefined && type === 'list' && (
        <div className="panel-pair">
          <FieldChoice
            label={text.sortField}
            fields={collection.fields.filter(({ column }) => column !== null)}
            value={textOf(options['sortField']) ?? ''}
            onChange={(sortField) => onChange({ sortField })}
          />
          <label className="switch">
            <input
              type="checkbox"
              checked={options['sortDirection'] !== 'asc'}
              onChange={(event) => onChange({ sortDirection: event.target.checked ? 'desc' : 'asc' })}
            />
            {text.largestFirst}
          </label>
        </div>
      )}
      {(type === 'list' || type === 'metric-list') && numberPart(text.limit, 'limit', 5)}
      {type === 'meter' && numberPart(text.maximum, 'max', 100)}
    </>
  );
}

/** Another collection has other fields. */
const cleared = (names: (typeof optionNames)[PanelType]): Options =>
  Object.fromEntries(Object.values(names).map((name) => [name, undefined]));

/** The date of a collection is mostly one of few. */
function guess(collection: Collection | undefined, { date }: (typeof optionNames)[PanelType]): Options {
  const field = date === undefined ? undefined : collection?.fields.find(isMoment);
  return date === undefined || field === undefined ? {} : { [date]: field.name };
}

const numberTypes = new Set(['integer', 'bigInteger', 'decimal', 'float']);
const momentTypes = new Set(['date', 'dateTime', 'timestamp']);
const groupableTypes = new Set(['string', 'boolean', 'integer', 'bigInteger', 'decimal', 'float', 'date', 'uuid', 'text']);

const isMoment = ({ type, column }: Field): boolean => column !== null && momentTypes.has(type);
const isGroupable = ({ type, column, isKey, relation }: Field): boolean =>
  column !== null && !isKey && (relation?.kind === 'm2o' || groupableTypes.has(type));

interface FieldChoiceProps {
  readonly label: string;
  readonly fields: readonly Field[];
  readonly value: string;
  readonly onChange: (field: string) => void;
}

const FieldChoice = ({ label, fields, value, onChange }: FieldChoiceProps) => (
  <Choice label={label} value={value} choices={fields.map(({ name, title }) => [name, title])} none="–" onChange={onChange} />
);

interface ValueChoiceProps {
  readonly collection: Collection;
  readonly fn: ValueFunction;
  /** Empty: the items are counted. */
  readonly field: string;
  /** One value is asked for: that of the first or last item may be it. */
  readonly isSingle: boolean;
  readonly onChange: (fn: ValueFunction, field: string) => void;
}

function ValueChoice({ collection, fn, field, isSingle, onChange }: ValueChoiceProps) {
  const text = useInsightsText();
  const functions: readonly ValueFunction[] = [
    'count',
    'sum',
    'avg',
    'min',
    'max',
    'countDistinct',
    ...(isSingle ? (['first', 'last'] as const) : []),
  ];
  const offered = functions.includes(fn) ? functions : [...functions, fn];
  const fieldsFor = (chosen: ValueFunction): readonly Field[] =>
    collection.fields.filter(({ column, type, relation }) => {
      if (column === null) return false;
      if (chosen === 'countDistinct' || chosen === 'first' || chosen === 'last') return true;
      return relation === null && (numberTypes.has(type) || (isSingle && (chosen === 'min' || chosen === 'max') && momentTypes.has(type)));
    });
  const choose = (chosen: ValueFunction) => {
    const fields = fieldsFor(chosen);
    const kept = fields.find(({ name }) => name === field) ?? fields.find(({ isKey }) => !isKey);
    onChange(chosen, chosen === 'count' ? '' : (kept?.name ?? ''));
  };
  return (
    <div className="panel-pair">
      <Choice
        label={text.value}
        value={fn}
        choices={offered.map((each) => [each, text.functions[each]])}
        onChange={(chosen) => choose(chosen as ValueFunction)}
      />
      {fn !== 'count' && (
        <FieldChoice label={text.ofField} fields={fieldsFor(fn)} value={field} onChange={(chosen) => onChange(fn, chosen)} />
      )}
    </div>
  );
}

interface FilterPartProps extends Pick<WholeQuestionProps, 'isChecked' | 'onFinished'> {
  readonly collection: Collection;
  readonly filter: unknown;
  readonly onChange: (filter: unknown) => void;
}

function FilterPart({ collection, filter, isChecked, onChange, onFinished }: FilterPartProps) {
  const text = useInsightsText();
  const [tree, setTree] = useState<FilterGroup | null>(() => (filter === undefined || filter === null ? null : readFilter(filter)));
  const isWhole = tree === null || isFinished(tree);
  useEffect(() => {
    onFinished(isWhole);
    return () => onFinished(true);
  }, [isWhole, onFinished]);
  if (tree === null)
    return (
      <button type="button" className="button quiet small" onClick={() => setTree(noFilter)}>
        <Icon name="filter" />
        {text.addFilter}
      </button>
    );
  return (
    <fieldset className="plain-set">
      <legend className="label">{text.filter}</legend>
      <Suspense fallback={null}>
        <FilterBuilder
          collection={collection}
          filter={tree}
          isChecked={isChecked}
          onChange={(next) => {
            setTree(next);
            onChange(printFilter(next));
          }}
        />
      </Suspense>
      <button
        type="button"
        className="button small"
        onClick={() => {
          setTree(null);
          onChange(undefined);
        }}
      >
        {text.removeFilter}
      </button>
    </fieldset>
  );
}
