// Lists of related items: one-to-many, many-to-many, many-to-any, files, and trees, whose rows have such a list of their own. Nothing is sent
// until the item that lists them is saved.

import { useState } from 'react';
import { refusalsBelow } from '../../draft/refusals.js';
import {
  dropEntry,
  emptyList,
  isStagedList,
  isUnchanged,
  putEntry,
  removeRow,
  restoreRow,
  type StagedEntry,
  type StagedList,
} from '../../draft/staged.js';
import { keyValue } from '../../schema/item-key.js';
import { plainText } from '../../schema/templates.js';
import { useStudio } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';
import type { InterfaceProps } from '../interface-props.js';
import { pageSize, useStoredEntries } from '../stored-entries.js';
import { AddButtons } from './add-buttons.js';
import { ListRow, type Moves, stateOf } from './list-row.js';
import { type ListPlan, planList, type Target, targetOf } from './plan-list.js';
import { RelatedDrawer } from './related-forms.js';

export function RelatedList(props: InterfaceProps) {
  const text = useText();
  const { schema } = useStudio().boot;
  const plan = planList(props.field, schema);
  if (plan === null) return <p className="hint">{text.listNotEditable}</p>;
  return <EditableList {...props} plan={plan} isTree={props.field.interface === 'list-o2m-tree-view'} />;
}

interface EditableListProps extends InterfaceProps {
  readonly plan: ListPlan;
  readonly isTree: boolean;
}

function EditableList(props: EditableListProps) {
  const text = useText();
  const { plan, isTree, field, isReadOnly, refusals } = props;
  const [openId, setOpenId] = useState<string | null>(null);
  // A new item is staged with its first value; one that was left empty, or cleared again, is dropped.
  const [created, setCreated] = useState<StagedEntry | null>(null);
  const { inList, staged, problem, isLoading, isWhole, showMore, change, moves } = useList(props);
  const open = inList.find(({ id }) => id === openId) ?? staged.entries.find(({ id }) => id === openId) ?? created ?? undefined;
  const target = open === undefined ? undefined : targetOf(plan, open);
  const close = () => {
    setOpenId(null);
    setCreated(null);
  };
  const add = (entries: readonly StagedEntry[]) => change({ ...staged, entries: [...staged.entries, ...entries] });
  return (
    <fieldset className="plain-set" aria-labelledby={props.labelledBy} aria-describedby={props.describedBy}>
      {problem !== null && <p className="banner">{problem}</p>}
      {inList.length === 0 && problem === null && <p className="empty-list">{isLoading ? text.loading : text.none}</p>}
      {inList.length > 0 && (
        <ul className="related-list">
          {inList.map((entry, index) => (
            <PlacedRow
              key={entry.id}
              {...props}
              entry={entry}
              staged={staged}
              isTree={isTree}
              onMove={moves(index)}
              onStage={change}
              onOpen={() => setOpenId(entry.id)}
            />
          ))}
        </ul>
      )}
      {!isWhole && (
        <button type="button" className="button quiet small" onClick={showMore}>
          {text.loadMore}
        </button>
      )}
      {!isReadOnly && (
        <AddButtons
          plan={plan}
          title={field.title}
          present={(each) => new Set(inList.filter((entry) => targetOf(plan, entry) === each).map(({ key }) => plainText(key)))}
          onAdd={(to, items) =>
            add(items.map((item) => ({ ...blankEntry(plan, to), key: keyValue(to.collection, item) ?? null, shown: item })))
          }
          onCreate={(to) => {
            const entry = blankEntry(plan, to);
            setCreated(entry);
            setOpenId(entry.id);
          }}
        />
      )}
      {open !== undefined && target !== undefined && (
        <RelatedDrawer
          collection={target.collection}
          entry={open}
          filled={plan.junctionField === null ? plan.foreignKey : null}
          isReadOnly={isReadOnly}
          refusals={refusalsBelow(refusals, field.name, open.id)}
          onChange={(entry) => change(putEntry(staged, entry))}
          onClose={close}
        />
      )}
    </fieldset>
  );
}

/** The rows as they are stored, with what is staged for them. */
function useList({ plan, field, itemKey, value, stored, onChange }: EditableListProps) {
  const [pages, setPages] = useState(1);
  const { entries: rows, isLoading, problem } = useStoredEntries(plan, field.collection, itemKey, pages);
  const staged = isStagedList(value) ? value : emptyList;
  const change = (next: StagedList) => onChange(isUnchanged(next) ? (stored ?? null) : next);
  const inList = ordered(staged, [
    ...rows.map((row) => staged.entries.find(({ id }) => id === row.id) ?? row),
    ...staged.entries.filter(({ row }) => row === null),
  ]);
  const move = (from: number, to: number) => {
    const moved = inList.toSpliced(from, 1).toSpliced(to, 0, ...inList.slice(from, from + 1));
    change({ ...staged, order: moved.map(({ id, row }) => ({ id, row })) });
  };
  const dragOf = useEntryDrag(move);
  const isWhole = rows.length < pages * pageSize;
  // Rows that are not read yet have positions, too, so a partly read list cannot be sorted.
  const moves = (index: number): Moves | null =>
    plan.sortField === null || !isWhole
      ? null
      : {
          drag: dragOf(index),
          up: index === 0 ? null : () => move(index, index - 1),
          down: index === inList.length - 1 ? null : () => move(index, index + 1),
        };
  return { inList, staged, problem, isLoading, isWhole, showMore: () => setPages(pages + 1), change, moves };
}

/** Entries are dragged to the place of another one of the same list. */
function useEntryDrag(move: (from: number, to: number) => void): (index: number) => Moves['drag'] {
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const end = () => {
    setDragged(null);
    setOver(null);
  };
  return (index) => ({
    'data-drop': dragged === null || over !== index || dragged === index ? undefined : index < dragged ? 'before' : 'after',
    onDragStart: (event) => {
      event.stopPropagation();
      event.dataTransfer.effectAllowed = 'move';
      setDragged(index);
    },
    onDragOver: (event) => {
      if (dragged === null) return;
      event.preventDefault();
      setOver(index);
    },
    onDragEnd: end,
    onDrop: (event) => {
      if (dragged === null) return;
      event.preventDefault();
      if (dragged !== index) move(dragged, index);
      end();
    },
  });
}

/** Entries in the staged order; those it does not name stay at the end. */
function ordered({ order }: StagedList, entries: readonly StagedEntry[]): readonly StagedEntry[] {
  if (order === undefined) return entries;
  const places = new Map(order.map(({ id }, index) => [id, index]));
  return entries.toSorted((one, other) => (places.get(one.id) ?? order.length) - (places.get(other.id) ?? order.length));
}

const blankEntry = ({ collectionField }: ListPlan, { collection }: Target): StagedEntry => ({
  $staged: 'entry',
  id: `new-${[...crypto.getRandomValues(new Uint8Array(6))].join('-')}`,
  row: null,
  key: null,
  shown: {},
  edits: {},
  ...(collectionField === null ? {} : { collection: collection.name }),
});

interface PlacedRowProps extends EditableListProps {
  readonly entry: StagedEntry;
  readonly staged: StagedList;
  readonly onMove: Moves | null;
  readonly onStage: (list: StagedList) => void;
  readonly onOpen: () => void;
}

function PlacedRow({ entry, staged, onMove, onStage, onOpen, ...list }: PlacedRowProps) {
  const { plan, field, isTree, refusals, isReadOnly } = list;
  const [isExpanded, setExpanded] = useState(false);
  const below = refusalsBelow(refusals, field.name, entry.id);
  const isOpen = isExpanded || (isTree && isStagedList(entry.edits[field.name]));
  const stageBelow = (value: unknown) => {
    const { [field.name]: _replaced, ...others } = entry.edits;
    onStage(putEntry(staged, { ...entry, edits: isStagedList(value) ? { ...others, [field.name]: value } : others }));
  };
  return (
    <ListRow
      plan={plan}
      entry={entry}
      state={stateOf(staged, entry)}
      isRefused={below.length > 0}
      isReadOnly={isReadOnly}
      onMove={onMove}
      onOpen={onOpen}
      onRemove={() => onStage(entry.row === null ? dropEntry(staged, entry.id) : removeRow(staged, entry.row))}
      onRestore={() => onStage(restoreRow(staged, entry.row))}
      {...(isTree ? { expander: { isOpen, onToggle: () => setExpanded(!isOpen) } } : {})}
    >
      {isOpen && (
        <div className="tree-below">
          <EditableList
            {...list}
            itemKey={entry.key === null ? null : plainText(entry.key)}
            value={entry.edits[field.name]}
            stored={null}
            refusals={below}
            onChange={stageBelow}
          />
        </div>
      )}
    </ListRow>
  );
}
