// What a new step should do: every kind of step with a line about it.

import { Icon } from '../../primitives/icon.js';
import { SideDrawer } from '../../primitives/side-drawer.js';
import { useAutomationText } from '../automation-data.js';
import { kinds, type StepKind } from './step-kinds.js';

interface KindDrawerProps {
  /** The flow runs before a write, so that not every step is possible. */
  readonly isFilter: boolean;
  readonly onChoose: (kind: StepKind) => void;
  readonly onClose: () => void;
}

export function KindDrawer({ isFilter, onChoose, onClose }: KindDrawerProps) {
  const text = useAutomationText();
  return (
    <SideDrawer title={text.chooseKind} onClose={onClose}>
      <ul className="flow-kinds">
        {(Object.keys(kinds) as StepKind[]).map((kind) => {
          const isRefused = isFilter && kinds[kind].isOutward === true;
          return (
            <li key={kind}>
              <button type="button" className="flow-kind" disabled={isRefused} onClick={() => onChoose(kind)}>
                <span className="flow-tile" aria-hidden="true">
                  <Icon name={kinds[kind].icon} />
                </span>
                <span>
                  <strong>{text.kinds[kind]}</strong>
                  <span className="hint">{isRefused ? text.notWhileWriting : text.kindHints[kind]}</span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </SideDrawer>
  );
}
