// Which items a step works on: those of a filter, or all of the collection if somebody says so. A query that says more, or is a template, is shown
// as JSON.

import { lazy, Suspense, useEffect, useState } from 'react';
import { type FilterGroup, isFinished, noFilter, printFilter, readFilter } from '../../filter/filter-tree.js';
import { Icon } from '../../primitives/icon.js';
import { useStudio } from '../../studio-context.js';
import { isObject, textOf, useAutomationText } from '../automation-data.js';
import { PlusLine } from './chain-input.js';
import { JsonOption } from './json-option.js';
import type { OptionProps } from './step-kinds.js';

const FilterBuilder = lazy(async () => ({ default: (await import('../../filter/filter-builder.js')).FilterBuilder }));

export function QueryOption(props: OptionProps) {
  const text = useAutomationText();
  const { schema } = useStudio().boot;
  const { label, value, options, isChecked, onChange, onFinished } = props;
  const collection = schema.get(textOf(options['collection']));
  const [asJson, setAsJson] = useState(() => !isPlain(value));
  const [tree, setTree] = useState<FilterGroup | null>(() => treeOf(value));
  const isWhole = tree === null || isFinished(tree);
  useEffect(() => {
    onFinished(isWhole);
    return () => onFinished(true);
  }, [isWhole, onFinished]);
  if (asJson || (collection === undefined && value !== undefined)) return <JsonOption {...props} />;
  if (collection === undefined) return null;
  const store = (next: FilterGroup | null) => {
    setTree(next);
    if (next === null) onChange(undefined);
    else if (isFinished(next)) onChange({ filter: printFilter(next) ?? {} });
  };
  const isAll = tree === null && value !== undefined;
  const isNothing = tree === null && value === undefined;
  const hasKey = textOf(options['key']) !== '';
  return (
    <fieldset className="plain-set flow-lines">
      <legend className="label">{label}</legend>
      {isAll && <p className="flow-all">{text.allItems}</p>}
      {isNothing && <p className="hint">{hasKey ? text.optionHints.keyOrQuery : text.optionHints.noItems}</p>}
      {tree !== null && (
        <Suspense fallback={null}>
          <FilterBuilder key={collection.name} collection={collection} filter={tree} isChecked={isChecked} onChange={store} />
        </Suspense>
      )}
      <div className="flow-line-buttons">
        {tree === null && <PlusLine label={text.addFilter} onClick={() => setTree(noFilter)} />}
        {isNothing && (
          <button type="button" className="button quiet small" onClick={() => onChange({ filter: {} })}>
            {text.allItems}
          </button>
        )}
        {!isNothing && (
          <button type="button" className="button quiet small" onClick={() => store(null)}>
            <Icon name="close" />
            {text.removeFilter}
          </button>
        )}
        <button type="button" className="button quiet small" disabled={!isWhole} onClick={() => setAsJson(true)}>
          <Icon name="code" />
          {text.asJson}
        </button>
      </div>
    </fieldset>
  );
}

/** Null: it has no conditions. */
function treeOf(value: unknown): FilterGroup | null {
  const tree = isObject(value) ? readFilter(value['filter']) : noFilter;
  return tree.nodes.length === 0 ? null : tree;
}

/** A filter and nothing else. */
const isPlain = (value: unknown): boolean =>
  value === undefined || (isObject(value) && Object.keys(value).every((name) => name === 'filter') && isObject(value['filter']));
