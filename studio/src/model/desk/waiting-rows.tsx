// Fields and collections that wait on the desk, below those that exist and in their words; a click opens the desk.

import { Children, type ReactNode } from 'react';
import { Icon } from '../../primitives/icon.js';
import { titleOf } from '../../schema/read-meta.js';
import { useModelText, useOpenDesk } from '../model-base.js';
import type { WaitingChange } from './waiting.js';

/** Nothing without rows. */
export function WaitingRows({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  if (Children.count(children) === 0) return null;
  return (
    <ul className="field-rows found waiting-rows" aria-label={label}>
      {children}
    </ul>
  );
}

export function WaitingRow({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const openDesk = useOpenDesk();
  return (
    <li>
      <Icon name="plus" />
      <button type="button" className="row-title field-name" onClick={openDesk}>
        <strong>{titleOf(name)}</strong> <code className="hint">{name}</code>
      </button>
      <span className="flags field-marks">
        <WaitingBadge change="added" />
        <span className="badge plain">{children}</span>
      </span>
    </li>
  );
}

/** What will be deleted is struck through. */
export const WaitingTitle = ({ waiting, children }: { readonly waiting: WaitingChange | null; readonly children: ReactNode }) =>
  waiting === 'deleted' ? <s>{children}</s> : children;

export const WaitingBadge = ({ change }: { readonly change: WaitingChange | 'added' }) => (
  <span className="badge waiting">{useModelText().waiting[change]}</span>
);
