// Search and conditions of a list: a search field, a chip for each condition, and the builder behind a button.

import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { describeNode } from '../filter/describe-filter.js';
import { conditionsIn, type FilterGroup, replaceNode } from '../filter/filter-tree.js';
import { useTitles } from '../filter/use-titles.js';
import { Icon } from '../primitives/icon.js';
import type { Collection } from '../schema/model.js';
import { useStudio } from '../studio-context.js';
import { useLanguage, useText } from '../text/use-text.js';
import type { ListState } from './list-state.js';

const FilterBuilder = lazy(async () => ({ default: (await import('../filter/filter-builder.js')).FilterBuilder }));

interface FilterBarProps {
  readonly collection: Collection;
  readonly state: ListState;
  readonly onChange: (state: ListState) => void;
  readonly children: ReactNode;
}

export function FilterBar({ collection, state, onChange, children }: FilterBarProps) {
  const language = useLanguage();
  const { text } = language;
  const { schema } = useStudio().boot;
  const titleOf = useTitles(collection, state.filter);
  const [isOpen, setOpen] = useState(false);
  const setFilter = (filter: FilterGroup) => onChange({ ...state, filter });
  const count = conditionsIn(state.filter).length;
  // Conditions joined by "any" belong together: one chip.
  const nodes = state.filter.join === '_or' && state.filter.nodes.length > 1 ? [state.filter] : state.filter.nodes;
  return (
    <div className="toolbar">
      <SearchInput value={state.search} onChange={(search) => onChange({ ...state, search })} />
      <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
        <Button className="button quiet">
          <Icon name="filter" />
          {text.filter}
          {count > 0 && <span className="count-badge">{count}</span>}
        </Button>
        <Popover className="popover builder-popover" placement="bottom start">
          <Dialog aria-label={text.filter} className="builder-dialog">
            <Suspense fallback={null}>
              <FilterBuilder collection={collection} filter={state.filter} pause={300} onChange={setFilter} />
            </Suspense>
          </Dialog>
        </Popover>
      </DialogTrigger>
      {nodes.map((node, index) => {
        const words = describeNode({ schema, language, titleOf }, collection, node);
        return (
          <span key={words} className="chip">
            <button type="button" className="chip-text" title={words} onClick={() => setOpen(true)}>
              <span className="cut">{words}</span>
            </button>
            <button
              type="button"
              className="chip-remove"
              aria-label={`${text.removeFilter}: ${words}`}
              onClick={() => setFilter(node === state.filter ? { ...state.filter, nodes: [] } : replaceNode(state.filter, index, null))}
            >
              <Icon name="close" />
            </button>
          </span>
        );
      })}
      <span className="toolbar-end">{children}</span>
    </div>
  );
}

/** The list follows after a short pause in typing. */
function SearchInput({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const text = useText();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the pause
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed), 250);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <input
      className="input search"
      type="search"
      placeholder={text.search}
      aria-label={text.search}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
