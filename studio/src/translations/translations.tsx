// The page of translations and the dialog that picks one: they are loaded together.

import { type PickerProps, TranslationPicker } from './translation-picker.js';
import { TranslationsPage } from './translations-page.js';

/** Null: the page. */
export const Translations = ({ picker }: { readonly picker: PickerProps | null }) =>
  picker === null ? <TranslationsPage /> : <TranslationPicker {...picker} />;
