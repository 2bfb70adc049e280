// Provides the forms of related items to the interfaces below, each loaded when it is first opened.

import { lazy, type ReactNode } from 'react';
import { RelatedFormsContext } from '../interfaces/relations/related-forms.js';

const forms = {
  Drawer: lazy(async () => ({ default: (await import('./item-drawer.js')).ItemDrawer })),
  Inline: lazy(async () => ({ default: (await import('./inline-form.js')).InlineForm })),
};

export const RelatedForms = ({ children }: { readonly children: ReactNode }) => (
  <RelatedFormsContext value={forms}>{children}</RelatedFormsContext>
);
