// A drawer holds a form and a form holds interfaces: loading the drawer when it is first opened keeps that circle out of the imports.

import { lazy, Suspense } from 'react';
import type { Refusal } from '../../draft/refusals.js';
import type { StagedEntry } from '../../draft/staged.js';
import type { Collection } from '../../schema/model.js';

export interface ItemDrawerProps {
  readonly collection: Collection;
  readonly entry: StagedEntry;
  /** A field that the form leaves out because the service fills it. */
  readonly filled: string | null;
  readonly isReadOnly: boolean;
  readonly refusals: readonly Refusal[];
  /** Called with each edit: nothing typed waits for the drawer to close. */
  readonly onChange: (entry: StagedEntry) => void;
  readonly onClose: () => void;
}

const ItemDrawer = lazy(async () => ({ default: (await import('../../form/item-drawer.js')).ItemDrawer }));

export const LazyItemDrawer = (props: ItemDrawerProps) => (
  <Suspense fallback={null}>
    <ItemDrawer {...props} />
  </Suspense>
);
