// Dragging of rows: which one is dragged, where it would go, and the handlers that track it.

import { type DragEvent, type HTMLAttributes, useState } from 'react';
import { type Arranged, after, type Target } from './arrange.js';

interface Hover {
  /** Null: the end of the list. */
  readonly id: string | null;
  readonly zone: 'before' | 'after' | 'into';
}

type RowProps = HTMLAttributes<HTMLLIElement> & {
  readonly draggable: boolean;
  readonly 'data-dragged': boolean;
  readonly 'data-drop': string | undefined;
};

interface RowDrag {
  readonly isDragging: boolean;
  /** For the row of an entry; null: for the end of the list. */
  readonly rowProps: (entry: Arranged | null) => RowProps;
}

export function useRowDrag(entries: readonly Arranged[], move: (id: string, target: Target | undefined) => void): RowDrag {
  const [dragged, setDragged] = useState<string | null>(null);
  const [hover, setHover] = useState<Hover | null>(null);
  const end = () => {
    setDragged(null);
    setHover(null);
  };
  const rowProps = (entry: Arranged | null): RowProps => {
    const id = entry?.id ?? null;
    return {
      draggable: entry !== null,
      'data-dragged': dragged !== null && dragged === id,
      'data-drop': dragged !== null && dragged !== id && hover?.id === id ? hover.zone : undefined,
      onDragStart: (event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', id ?? '');
        setDragged(id);
      },
      onDragEnd: end,
      onDragOver: (event) => {
        if (dragged === null) return;
        event.preventDefault();
        const zone = entry === null ? 'before' : zoneOf(event, entry);
        if (hover === null || hover.id !== id || hover.zone !== zone) setHover({ id, zone });
      },
      onDrop: (event) => {
        event.preventDefault();
        if (dragged !== null && hover !== null) move(dragged, targetOf(entries, hover));
        end();
      },
    };
  };
  return { isDragging: dragged !== null, rowProps };
}

/** The middle of a group is the group itself; other rows have two halves. */
function zoneOf(event: DragEvent<HTMLLIElement>, { isGroup }: Arranged): Hover['zone'] {
  const { top, height } = event.currentTarget.getBoundingClientRect();
  const part = (event.clientY - top) / height;
  if (isGroup) return part < 0.3 ? 'before' : 'into';
  return part < 0.5 ? 'before' : 'after';
}

function targetOf(entries: readonly Arranged[], { id, zone }: Hover): Target | undefined {
  if (id === null) return { parent: null, before: null };
  const entry = entries.find((each) => each.id === id);
  if (entry === undefined) return undefined;
  if (zone === 'into') return { parent: id, before: null };
  return { parent: entry.parent, before: zone === 'before' ? id : after(entries, entry) };
}
