// What else can be done with a list: bring items in from a file, take them out into one.

import { lazy, Suspense, useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Icon } from '../primitives/icon.js';
import type { Collection } from '../schema/model.js';
import { useMay } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import type { Column } from './columns.js';
import type { ListState } from './list-state.js';

const ExportDialog = lazy(async () => ({ default: (await import('./transfer/export-dialog.js')).ExportDialog }));
const ImportDialog = lazy(async () => ({ default: (await import('./transfer/import-dialog.js')).ImportDialog }));

interface MoreMenuProps {
  readonly collection: Collection;
  readonly columns: readonly Column[];
  readonly state: ListState;
  readonly count: number | undefined;
  /** The list has to be read again. */
  readonly onReload: () => void;
}

export function MoreMenu({ collection, columns, state, count, onReload }: MoreMenuProps) {
  const text = useText();
  const may = useMay(collection);
  const [dialog, setDialog] = useState<string | number | null>(null);
  return (
    <>
      <MenuTrigger>
        <Button className="button quiet icon-only" aria-label={text.list.more}>
          <Icon name="more" />
        </Button>
        <Popover className="popover" placement="bottom end">
          <Menu className="menu" onAction={setDialog}>
            {may('create') && !collection.isSystem ? (
              <MenuItem id="import" className="option">
                <Icon name="import" />
                {text.list.importItems}
              </MenuItem>
            ) : null}
            <MenuItem id="export" className="option">
              <Icon name="export" />
              {text.list.exportItems}
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      <Suspense fallback={null}>
        {dialog === 'export' && (
          <ExportDialog collection={collection} columns={columns} state={state} count={count} onClose={() => setDialog(null)} />
        )}
        {dialog === 'import' && <ImportDialog collection={collection} onClose={() => setDialog(null)} onDone={onReload} />}
      </Suspense>
    </>
  );
}
