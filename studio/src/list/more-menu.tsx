// What else can be done with a list: bring items in from a file, take them out into one, see how the list is read.

import { lazy, Suspense, useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Icon } from '../primitives/icon.js';
import type { Collection } from '../schema/model.js';
import { useMay, useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import type { Column } from './columns.js';
import type { ListState } from './list-state.js';

const ExportDialog = lazy(async () => ({ default: (await import('./transfer/export-dialog.js')).ExportDialog }));
const ExplainDrawer = lazy(async () => ({ default: (await import('./explain/explain-drawer.js')).ExplainDrawer }));
const ImportDialog = lazy(async () => ({ default: (await import('./transfer/import-dialog.js')).ImportDialog }));

interface MoreMenuProps {
  readonly collection: Collection;
  readonly columns: readonly Column[];
  readonly state: ListState;
  readonly count: number | undefined;
  /** What the list asks for, as JSON. */
  readonly query: string;
  /** The list has to be read again. */
  readonly onReload: () => void;
}

export function MoreMenu({ collection, columns, state, count, query, onReload }: MoreMenuProps) {
  const text = useText();
  const may = useMay(collection);
  const { isAdmin, seen } = useStudio().boot;
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
            {isAdmin && seen === null ? (
              <MenuItem id="explain" className="option">
                <Icon name="search" />
                {text.list.explain}
              </MenuItem>
            ) : null}
          </Menu>
        </Popover>
      </MenuTrigger>
      <Suspense fallback={null}>
        {dialog === 'export' && (
          <ExportDialog collection={collection} columns={columns} state={state} count={count} onClose={() => setDialog(null)} />
        )}
        {dialog === 'explain' && <ExplainDrawer collection={collection} query={query} onClose={() => setDialog(null)} />}
        {dialog === 'import' && <ImportDialog collection={collection} onClose={() => setDialog(null)} onDone={onReload} />}
      </Suspense>
    </>
  );
}
