// The forms of related items that interfaces open, in a drawer or in place. A form holds interfaces, so its own floor provides these from above.

import { type ComponentType, createContext, Suspense, useContext } from 'react';
import type { Item } from '../../draft/item.js';
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

export interface InlineFormProps {
  readonly collection: Collection;
  readonly entry: StagedEntry;
  readonly base: Item;
  readonly leftOut: readonly string[];
  readonly isReadOnly: boolean;
  readonly refusals: readonly Refusal[];
  readonly onChange: (entry: StagedEntry) => void;
}

interface RelatedForms {
  readonly Drawer: ComponentType<ItemDrawerProps>;
  readonly Inline: ComponentType<InlineFormProps>;
}

export const RelatedFormsContext = createContext<RelatedForms | null>(null);

function useForms(): RelatedForms {
  const forms = useContext(RelatedFormsContext);
  if (forms === null) throw new Error('a related item outside of RelatedForms');
  return forms;
}

export function RelatedDrawer(props: ItemDrawerProps) {
  const { Drawer } = useForms();
  return (
    <Suspense fallback={null}>
      <Drawer {...props} />
    </Suspense>
  );
}

export function RelatedInline(props: InlineFormProps) {
  const { Inline } = useForms();
  return (
    <Suspense fallback={null}>
      <Inline {...props} />
    </Suspense>
  );
}
