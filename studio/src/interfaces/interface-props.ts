// What an interface is given: the field, its value in the draft, and how to change it.

import type { Refusal } from '../draft/refusals.js';
import type { Field } from '../schema/model.js';

export interface InterfaceProps {
  readonly id: string;
  readonly labelledBy: string;
  readonly describedBy: string | undefined;
  readonly field: Field;
  /** Null: the item is new. */
  readonly itemKey: string | null;
  readonly value: unknown;
  /** The value without the edits of the draft. */
  readonly stored: unknown;
  readonly isReadOnly: boolean;
  readonly isRefused: boolean;
  /** Refusals about this field and about items staged below it. */
  readonly refusals: readonly Refusal[];
  readonly onChange: (value: unknown) => void;
}
