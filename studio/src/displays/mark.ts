// A shown value as marks: small facts that the grid paints, pages render, and whose texts a copy or a screen reader takes. A display makes
// them of a value.

import type { Field, Schema } from '../schema/model.js';
import type { Language } from '../text/use-text.js';

export interface Mark {
  readonly kind: 'text' | 'chip' | 'dot' | 'icon' | 'image';
  /** What the mark says; of an icon or a picture, its name. */
  readonly text: string;
  readonly color?: string;
  readonly background?: string;
  /** The key of the file that a picture shows. */
  readonly file?: string;
  readonly isRound?: boolean;
  readonly isMono?: boolean;
}

export interface DisplayContext {
  readonly schema: Schema;
  readonly language: Language;
}

export type Display = (context: DisplayContext, field: Field, value: unknown) => readonly Mark[];

export const textMark = (text: string): readonly Mark[] => (text === '' ? [] : [{ kind: 'text', text }]);

/** One line of text, for what cannot show colours and pictures. */
export const textOfMarks = (marks: readonly Mark[]): string =>
  marks
    .filter(({ kind }) => kind !== 'dot')
    .map(({ text }) => text)
    .join(marks.every(({ kind }) => kind === 'chip') ? ', ' : ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
