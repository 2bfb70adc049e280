// Builds a filter: conditions on fields of the items, of the items they refer to and of their lists, joined by "all" or "any", in groups of
// any depth. The list follows after a short pause; a condition without a value is not sent.

import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../primitives/icon.js';
import type { Collection } from '../../schema/model.js';
import { titleField } from '../../schema/templates.js';
import { useStudio } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';
import { ConditionRow } from './condition-row.js';
import { type FilterCondition, type FilterGroup, type FilterNode, replaceNode } from './filter-tree.js';
import { filterableFields, operatorsOf, subjectOf } from './operators.js';

interface FilterBuilderProps {
  readonly collection: Collection;
  readonly filter: FilterGroup;
  /** Milliseconds without a change before it is reported. */
  readonly pause?: number;
  readonly onChange: (filter: FilterGroup) => void;
}

export function FilterBuilder({ collection, filter, pause = 300, onChange }: FilterBuilderProps) {
  const { schema } = useStudio().boot;
  const first = (): FilterCondition => {
    const fields = filterableFields(collection);
    const name = fields.find((field) => field.name === titleField(collection))?.name ?? fields[0]?.name ?? '';
    const [operator = '_eq'] = operatorsOf(subjectOf(schema, collection, [name]));
    return { kind: 'condition', path: [name], operator, value: '' };
  };
  const [edited, setEdited] = useState<FilterGroup>(() => (filter.nodes.length === 0 ? { ...filter, nodes: [first()] } : filter));
  const report = useRef(onChange);
  report.current = onChange;
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    if (pause === 0) {
      report.current(edited);
      return;
    }
    const timer = setTimeout(() => report.current(edited), pause);
    return () => clearTimeout(timer);
  }, [edited, pause]);
  return <Group collection={collection} group={edited} onChange={setEdited} onRemove={null} newCondition={first} />;
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
  if (node.kind === 'group')
    return <Group collection={collection} group={node} newCondition={newCondition} onChange={onChange} onRemove={() => onChange(null)} />;
  if (node.kind === 'condition') return <ConditionRow collection={collection} condition={node} onChange={onChange} />;
  return (
    <div className="condition">
      <code className="kept-filter">{JSON.stringify(node.filter)}</code>
      <button type="button" className="button quiet icon-only" aria-label={text.removeFilter} onClick={() => onChange(null)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
