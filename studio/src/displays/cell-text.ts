// A value of an item as one line of text: what the grid paints and a card shows.

import type { Field, Schema } from '../schema/model.js';
import type { Language } from '../text/use-text.js';
import { textOfMarks } from './mark.js';
import { showValue } from './show-value.js';

export const cellText = (schema: Schema, field: Field, value: unknown, language: Language): string =>
  textOfMarks(showValue({ schema, language }, field, value));
