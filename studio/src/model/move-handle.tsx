// The handle of a row: arrow keys move it, and its menu offers every place it may go to, for screen readers and touch.

import { type KeyboardEvent, useMemo } from 'react';
import { Menu, MenuItem, Popover } from 'react-aria-components';
import { Icon } from '../primitives/icon.js';
import { useLanguage } from '../text/use-text.js';
import { type Arranged, moveTo, type Step, stepTarget, type Target } from './arrange.js';
import { useModelText } from './model-base.js';

export const handleIn = (list: HTMLElement | null, id: string): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(id)}"]`) ?? null;

interface HandleProps {
  readonly id: string;
  readonly title: string;
  readonly isOpen: boolean;
  readonly onStep: (id: string, step: Step) => void;
  readonly onOpen: (id: string) => void;
}

export function Handle({ id, title, isOpen, onStep, onOpen }: HandleProps) {
  const text = useModelText();
  const { direction } = useLanguage();
  const steps: Readonly<Record<string, Step>> = {
    ArrowUp: 'up',
    ArrowDown: 'down',
    ArrowRight: direction === 'rtl' ? 'out' : 'in',
    ArrowLeft: direction === 'rtl' ? 'in' : 'out',
  };
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onStep(id, step);
  };
  return (
    <button
      type="button"
      className="button quiet icon-only handle"
      data-handle={id}
      aria-label={text.move(title)}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      aria-keyshortcuts="ArrowUp ArrowDown ArrowLeft ArrowRight"
      title={text.moveHint}
      onKeyDown={press}
      onClick={() => onOpen(id)}
    >
      <Icon name="grip" />
    </button>
  );
}

interface MoveMenuProps {
  readonly id: string;
  readonly entries: readonly Arranged[];
  readonly titleOf: (id: string) => string;
  readonly list: HTMLElement | null;
  readonly onMove: (target: Target) => void;
  readonly onClose: () => void;
}

/** Only what is possible here. */
export function MoveMenu({ id, entries, titleOf, list, onMove, onClose }: MoveMenuProps) {
  const text = useModelText();
  const trigger = useMemo(() => ({ current: handleIn(list, id) }), [list, id]);
  const targets = new Map<string, readonly [title: string, target: Target]>();
  const offer = (name: string, title: string, target: Target | undefined) => {
    if (target !== undefined && moveTo(entries, id, target) !== undefined) targets.set(name, [title, target]);
  };
  offer('up', text.up, stepTarget(entries, id, 'up'));
  offer('down', text.down, stepTarget(entries, id, 'down'));
  const [first] = entries;
  if (first !== undefined && first.id !== id) offer('first', text.toTop, { parent: null, before: first.id });
  for (const group of entries.filter(({ isGroup }) => isGroup)) {
    const isHere = entries.find((entry) => entry.id === id)?.parent === group.id;
    if (!isHere) offer(`into ${group.id}`, text.into(titleOf(group.id)), { parent: group.id, before: null });
  }
  offer('out', text.outOf, stepTarget(entries, id, 'out'));
  return (
    <Popover
      className="popover"
      aria-label={text.move(titleOf(id))}
      triggerRef={trigger}
      isOpen
      placement="bottom start"
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Menu
        className="menu"
        aria-label={text.move(titleOf(id))}
        autoFocus="first"
        onAction={(name) => {
          const [, target] = targets.get(String(name)) ?? [];
          if (target !== undefined) onMove(target);
        }}
      >
        {[...targets].map(([name, [title]]) => (
          <MenuItem key={name} id={name} className="option">
            {title}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  );
}
