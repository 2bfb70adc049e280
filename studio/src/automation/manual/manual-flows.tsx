// The flows that the person may start here, as buttons: for the whole list, for what is selected in it, or for one item. What a flow asks before, and
// its texts, are loaded when it is pressed.

import { lazy, Suspense, useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import type { ManualFlow } from '../../api/boot.js';
import { Icon } from '../../primitives/icon.js';
import type { Collection } from '../../schema/model.js';
import { useStudio } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';

const StartDialog = lazy(async () => ({ default: (await import('./start-dialog.js')).StartDialog }));

interface ManualFlowsProps {
  readonly collection: Collection;
  readonly place: 'list' | 'selection' | 'item';
  /** Null: everything that a filter finds, which flows do not take. */
  readonly keys: readonly string[] | null;
  /** Items may have changed. */
  readonly onDone: () => void;
}

export function ManualFlows({ collection, place, keys, onDone }: ManualFlowsProps) {
  const { manualFlows } = useStudio().boot;
  const text = useText();
  const [started, setStarted] = useState<ManualFlow | null>(null);
  const flows = manualFlows.filter((flow) => isOffered(flow, collection.name, place));
  const [first] = flows;
  if (first === undefined) return null;
  return (
    <>
      {flows.length === 1 ? (
        <button
          type="button"
          className={place === 'selection' ? 'button small' : 'button'}
          aria-label={first.name}
          title={keys === null ? text.selectSingly : first.name}
          disabled={keys === null}
          onClick={() => setStarted(first)}
        >
          <Icon name="play" />
          <span className={place === 'selection' ? undefined : 'wide-label'}>{first.name}</span>
        </button>
      ) : (
        <MenuTrigger>
          <Button className={place === 'selection' ? 'button small' : 'button'} aria-label={text.runFlow} isDisabled={keys === null}>
            <Icon name="play" />
            <span className={place === 'selection' ? undefined : 'wide-label'}>{text.runFlow}</span>
          </Button>
          <Popover className="popover" placement="bottom end">
            <Menu className="menu">
              {flows.map((flow) => (
                <MenuItem key={flow.id} id={flow.id} className="option" textValue={flow.name} onAction={() => setStarted(flow)}>
                  <Icon name="play" />
                  {flow.name}
                </MenuItem>
              ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
      {started !== null && keys !== null && (
        <Suspense fallback={null}>
          <StartDialog flow={started} collection={collection.name} keys={keys} onDone={onDone} onClose={() => setStarted(null)} />
        </Suspense>
      )}
    </>
  );
}

function isOffered({ options }: ManualFlow, collection: string, place: ManualFlowsProps['place']): boolean {
  const { collections, location = 'both', requireSelection } = options;
  if (!collections.includes(collection)) return false;
  if (place === 'item') return location !== 'collection';
  return location !== 'item' && (place === 'selection' || requireSelection === false);
}
