// Builds a filter: conditions on fields of the items, of the items they refer to and of their lists, joined by "all" or "any", in groups of
// any depth. A list follows after a short pause and leaves out a condition without a value. Where a filter is stored, such a condition blocks
// saving and is marked.

import { createContext, useContext, useEffect, useRef, useState } from 'react';
import { Icon } from '../primitives/icon.js';
import type { Collection } from '../schema/model.js';
import { titleField } from '../schema/templates.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { ConditionRow } from './condition-row.js';
import { type FilterCondition, type FilterGroup, type FilterNode, isComplete, replaceNode } from './filter-tree.js';
import { filterableFields, firstOperator, subjectOf } from './operators.js';

interface FilterBuilderProps {
  readonly collection: Collection;
  readonly filter: FilterGroup;
  /** Milliseconds without a change before it is reported. What waits when the builder is closed is reported then. */
  readonly pause?: number;
  /** Marks what is not finished. */
  readonly isChecked?: boolean;
  readonly onChange: (filter: FilterGroup) => void;
}

/** Whether conditions that are not finished are marked. */
const CheckedContext = createContext(false);

export function FilterBuilder({ collection, filter, pause = 0, isChecked = false, onChange }: FilterBuilderProps) {
  const { schema } = useStudio().boot;
  const first = (): FilterCondition => {
    const fields = filterableFields(collection);
    const name = fields.find((field) => field.name === titleField(collection))?.name ?? fields[0]?.name ?? '';
    return { kind: 'condition', path: [name], operator: firstOperator(subjectOf(schema, collection, [name])), value: '' };
  };
  const [edited, setEdited] = useState<FilterGroup>(() => (filter.nodes.length === 0 ? { ...filter, nodes: [first()] } : filter));
  const report = useReport(onChange, pause);
  const change = (next: FilterGroup) => {
    setEdited(next);
    report(next);
  };
  return (
    <CheckedContext value={isChecked}>
      <Group collection={collection} group={edited} onChange={change} onRemove={null} newCondition={first} />
    </CheckedContext>
  );
}

/** Reports after the pause, or at the end if that comes first. */
function useReport(onChange: (filter: FilterGroup) => void, pause: number): (filter: FilterGroup) => void {
  const latest = useRef(onChange);
  latest.current = onChange;
  const waiting = useRef<{ readonly timer: ReturnType<typeof setTimeout>; readonly filter: FilterGroup } | null>(null);
  const flush = useRef(() => {
    if (waiting.current === null) return;
    clearTimeout(waiting.current.timer);
    const { filter } = waiting.current;
    waiting.current = null;
    latest.current(filter);
  });
  useEffect(() => flush.current, []);
  return (filter) => {
    if (waiting.current !== null) clearTimeout(waiting.current.timer);
    waiting.current = { filter, timer: setTimeout(() => flush.current(), pause) };
    if (pause === 0) flush.current();
  };
}

interface GroupProps {
  readonly collection: Collection;
  readonly group: FilterGroup;
  readonly onChange: (group: FilterGroup) => void;
  /** Null: the outermost group. */
  readonly onRemove: (() => void) | null;
  readonly newCondition: () => FilterCondition;
}

function Group({ collection, group, onChange, onRemove, newCondition }: GroupProps) {
  const text = useText();
  const isChecked = useContext(CheckedContext);
  const add = (node: FilterNode) => onChange({ ...group, nodes: [...group.nodes, node] });
  return (
    <fieldset className="filter-group">
      <legend className="visually-hidden">{text.list.group}</legend>
      <div className="filter-join">
        <select
          className="input"
          aria-label={text.list.join}
          value={group.join}
          onChange={(event) => onChange({ ...group, join: event.target.value === '_or' ? '_or' : '_and' })}
        >
          <option value="_and">{text.list.allOf}</option>
          <option value="_or">{text.list.anyOf}</option>
        </select>
        {onRemove !== null && (
          <button type="button" className="button quiet icon-only" aria-label={text.list.removeGroup} onClick={onRemove}>
            <Icon name="close" />
          </button>
        )}
      </div>
      {group.nodes.map((node, index) => (
        <Node
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a condition
          key={index}
          collection={collection}
          node={node}
          newCondition={newCondition}
          onChange={(next) => onChange(replaceNode(group, index, next))}
        />
      ))}
      {isChecked && group.nodes.length === 0 && (
        <p className="refusal" role="alert">
          {text.list.emptyGroup}
        </p>
      )}
      <div className="filter-add">
        <button type="button" className="button quiet small" onClick={() => add(newCondition())}>
          <Icon name="plus" />
          {text.addFilter}
        </button>
        <button
          type="button"
          className="button quiet small"
          onClick={() => add({ kind: 'group', join: group.join === '_and' ? '_or' : '_and', nodes: [newCondition()] })}
        >
          <Icon name="plus" />
          {text.list.addGroup}
        </button>
      </div>
    </fieldset>
  );
}

interface NodeProps {
  readonly collection: Collection;
  readonly node: FilterNode;
  readonly newCondition: () => FilterCondition;
  readonly onChange: (node: FilterNode | null) => void;
}

function Node({ collection, node, newCondition, onChange }: NodeProps) {
  const text = useText();
  const isChecked = useContext(CheckedContext);
  if (node.kind === 'group')
    return <Group collection={collection} group={node} newCondition={newCondition} onChange={onChange} onRemove={() => onChange(null)} />;
  if (node.kind === 'condition')
    return <ConditionRow collection={collection} condition={node} isMarked={isChecked && !isComplete(node)} onChange={onChange} />;
  return (
    <div className="condition">
      <code className="kept-filter">{JSON.stringify(node.filter)}</code>
      <button type="button" className="button quiet icon-only" aria-label={text.removeFilter} onClick={() => onChange(null)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
