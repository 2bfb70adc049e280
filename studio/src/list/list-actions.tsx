// What else can be done with a list: bring items in from a file, take them out into one, see how the list is read.

import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { HeadAction } from '../frame/page-head.js';
import type { Collection } from '../schema/model.js';
import { useMay, useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import type { Column } from './columns.js';
import type { ListState } from './list-state.js';

const ExplainDrawer = lazy(async () => ({ default: (await import('./explain/explain-drawer.js')).ExplainDrawer }));
const TransferDialog = lazy(async () => ({ default: (await import('./transfer/transfer-dialog.js')).TransferDialog }));

interface ListActionsProps {
  readonly collection: Collection;
  readonly columns: readonly Column[];
  readonly state: ListState;
  readonly count: number | undefined;
  /** What the list asks for, as JSON. */
  readonly query: string;
  /** The list has to be read again. */
  readonly onReload: () => void;
}

/** The entries for the menu of the page, and the dialog that one of them has opened. */
export function useListActions({ collection, columns, state, count, query, onReload }: ListActionsProps): {
  readonly actions: readonly HeadAction[];
  readonly dialog: ReactNode;
} {
  const text = useText();
  const may = useMay();
  const { isAdmin, seen } = useStudio().boot;
  const [open, setOpen] = useState<'import' | 'export' | 'explain' | null>(null);
  const close = () => setOpen(null);
  const all: readonly (HeadAction & { readonly isThere: boolean })[] = [
    {
      title: text.list.importItems,
      icon: 'import',
      run: () => setOpen('import'),
      isThere: may(collection, 'create') && !collection.isSystem,
    },
    { title: text.list.exportItems, icon: 'export', run: () => setOpen('export'), isThere: true },
    { title: text.list.explain, icon: 'search', run: () => setOpen('explain'), isThere: isAdmin && seen === null },
  ];
  return {
    actions: all.filter(({ isThere }) => isThere),
    dialog: (
      <Suspense fallback={null}>
        {open === 'explain' && <ExplainDrawer collection={collection} query={query} onClose={close} />}
        {(open === 'import' || open === 'export') && (
          <TransferDialog way={open} {...{ collection, columns, state, count }} onClose={close} onDone={onReload} />
        )}
      </Suspense>
    ),
  };
}
