// Rows that are dragged into their order and into groups, or moved by their handles.

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Arranged, moveTo, type Step, stepTarget, type Target } from './arrange.js';
import { useModelText } from './model-base.js';
import { Handle, handleIn, MoveMenu } from './move-handle.js';
import { useRowDrag } from './use-row-drag.js';

interface ArrangedRowsProps {
  readonly label: string;
  readonly entries: readonly Arranged[];
  readonly titleOf: (id: string) => string;
  readonly onChange: (entries: readonly Arranged[]) => void;
  readonly children: (id: string) => ReactNode;
}

export function ArrangedRows({ label, entries, titleOf, onChange, children }: ArrangedRowsProps) {
  const text = useModelText();
  const list = useRef<HTMLUListElement>(null);
  const [menuOf, setMenuOf] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const focused = useRef<string | null>(null);
  // Restores the focus, which a row loses when it moves in the page.
  useEffect(() => {
    if (focused.current !== null) handleIn(list.current, focused.current)?.focus();
    focused.current = null;
  });
  const move = (id: string, target: Target | undefined) => {
    const next = target === undefined ? undefined : moveTo(entries, id, target);
    if (next === undefined) return;
    const { parent } = next.find((entry) => entry.id === id) ?? { parent: null };
    const place = next.filter((entry) => entry.parent === parent).findIndex((entry) => entry.id === id) + 1;
    setAnnouncement(text.movedTo(titleOf(id), place, parent === null ? null : titleOf(parent)));
    onChange(next);
  };
  const stepBy = (id: string, step: Step) => {
    focused.current = id;
    move(id, stepTarget(entries, id, step));
  };
  const { isDragging, rowProps } = useRowDrag(entries, move);
  return (
    <>
      <ul ref={list} className="field-rows" aria-label={label}>
        {entries.map((entry) => (
          <li key={entry.id} style={{ ['--depth' as string]: entry.depth }} {...rowProps(entry)}>
            <Handle id={entry.id} title={titleOf(entry.id)} isOpen={menuOf === entry.id} onStep={stepBy} onOpen={setMenuOf} />
            {children(entry.id)}
            {entry.parent !== null && <span className="visually-hidden">{text.inGroup(titleOf(entry.parent))}</span>}
          </li>
        ))}
        {isDragging && <li className="row-end" aria-hidden="true" {...rowProps(null)} />}
      </ul>
      <p className="visually-hidden" aria-live="polite">
        {announcement}
      </p>
      {menuOf !== null && (
        <MoveMenu
          id={menuOf}
          entries={entries}
          titleOf={titleOf}
          list={list.current}
          onMove={(target) => {
            focused.current = menuOf;
            setMenuOf(null);
            move(menuOf, target);
          }}
          onClose={() => setMenuOf(null)}
        />
      )}
    </>
  );
}
