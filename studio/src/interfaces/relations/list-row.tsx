// One row of a list of related items: what it is, what is staged for it, and what can be done with it.

import type { HTMLAttributes, ReactNode } from 'react';
import { Thumbnail } from '../../displays/value.js';
import { entryValues, type StagedEntry, type StagedList } from '../../draft/staged.js';
import { Icon, type IconName } from '../../primitives/icon.js';
import { plainText, renderTemplate } from '../../schema/templates.js';
import { useText } from '../../text/use-text.js';
import { isFiles, type ListPlan, targetOf } from './plan-list.js';

type RowState = 'stored' | 'new' | 'added' | 'changed' | 'removed';

export function stateOf(staged: StagedList, { row, key, edits }: StagedEntry): RowState {
  if (row === null) return key === null ? 'new' : 'added';
  if (staged.removed.includes(row)) return 'removed';
  return Object.keys(edits).length > 0 ? 'changed' : 'stored';
}

function titleOfEntry(plan: ListPlan, entry: StagedEntry): string {
  const target = targetOf(plan, entry);
  const values = entryValues(entry);
  const title = target === undefined ? '' : renderTemplate(target.template, values);
  return title || plainText(values['filename_download']) || plainText(entry.key);
}

/** Null where the entry cannot go further. */
export interface Moves {
  readonly drag: DragProps;
  readonly up: (() => void) | null;
  readonly down: (() => void) | null;
}

/** The row as something to drag, and to drop another on. */
type DragProps = Pick<HTMLAttributes<HTMLElement>, 'onDragStart' | 'onDragOver' | 'onDragEnd' | 'onDrop'> & {
  readonly 'data-drop': 'before' | 'after' | undefined;
};

interface ListRowProps {
  readonly plan: ListPlan;
  readonly entry: StagedEntry;
  readonly state: RowState;
  readonly isRefused: boolean;
  readonly isReadOnly: boolean;
  /** Null when the order cannot be changed. */
  readonly onMove: Moves | null;
  readonly onOpen: () => void;
  readonly onRemove: () => void;
  readonly onRestore: () => void;
  /** Shows or hides the rows below this one. */
  readonly expander?: { readonly isOpen: boolean; readonly onToggle: () => void };
  readonly children?: ReactNode;
}

export function ListRow(props: ListRowProps) {
  const text = useText();
  const { plan, entry, state, isRefused, isReadOnly, onMove, onOpen, onRemove, onRestore, expander, children } = props;
  const title = titleOfEntry(plan, entry) || text.unnamed;
  const badges = { stored: null, new: text.stagedNew, added: text.stagedAdded, changed: text.stagedChanged, removed: text.stagedRemoved };
  const isRemoved = state === 'removed';
  const isMovable = !isReadOnly && onMove !== null && !isRemoved;
  return (
    <li className={`${isRemoved ? 'removed' : ''} ${isRefused ? 'refused' : ''}`}>
      <div className="list-row" {...(isMovable ? { draggable: true, ...onMove.drag } : {})}>
        {isMovable && (
          <span className="list-grip">
            <Icon name="grip" />
          </span>
        )}
        {expander !== undefined && (
          <RowButton
            name={expander.isOpen ? 'chevron' : 'next'}
            label={text.showBelow(title)}
            isExpanded={expander.isOpen}
            onPress={expander.onToggle}
          />
        )}
        <Picture plan={plan} entry={entry} />
        <button type="button" className="row-title" disabled={isRemoved} onClick={onOpen}>
          {title}
        </button>
        {plan.collectionField !== null && (
          <span className="badge plain">{targetOf(plan, entry)?.collection.title ?? entry.collection}</span>
        )}
        {badges[state] !== null && <span className="badge">{badges[state]}</span>}
        {isMovable && (
          <>
            <RowButton name="up" label={text.moveItemUp(title)} onPress={onMove.up} />
            <RowButton name="down" label={text.moveItemDown(title)} onPress={onMove.down} />
          </>
        )}
        {!isReadOnly && (
          <RowButton
            name={isRemoved ? 'undo' : 'close'}
            label={isRemoved ? text.restoreRelated(title) : text.removeRelated(title)}
            onPress={isRemoved ? onRestore : onRemove}
          />
        )}
      </div>
      {children}
    </li>
  );
}

function Picture({ plan, entry }: { readonly plan: ListPlan; readonly entry: StagedEntry }) {
  const target = targetOf(plan, entry);
  if (target === undefined || !isFiles(target.collection)) return null;
  const isImage = plainText(entry.shown['type']).startsWith('image/');
  return isImage ? <Thumbnail file={plainText(entry.key)} title="" /> : <Icon name="file" />;
}

interface RowButtonProps {
  readonly name: IconName;
  readonly label: string;
  readonly isExpanded?: boolean;
  /** Null: not possible here. */
  readonly onPress: (() => void) | null;
}

const RowButton = ({ name, label, isExpanded, onPress }: RowButtonProps) => (
  <button
    type="button"
    className="button quiet icon-only"
    aria-label={label}
    aria-expanded={isExpanded}
    disabled={onPress === null}
    onClick={() => onPress?.()}
  >
    <Icon name={name} />
  </button>
);
