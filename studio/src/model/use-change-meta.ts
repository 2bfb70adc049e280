// Changes how forms show a field: at once, with a way back. Nothing of it touches the database's structure or a value.

import { request } from '../api/client.js';
import { showToast } from '../primitives/toasts.js';
import type { Collection, Field } from '../schema/model.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import type { Values } from './fields/field-changes.js';
import { useModelText } from './model-base.js';

let takeAway = (): void => undefined;

/** Offers undo for the last change of the layout only, in a single message. */
export function announceLayout(message: string, label: string, undo: () => void): void {
  takeAway();
  takeAway = showToast(message, { label, run: undo });
}

/** Resolves to whether it is stored. */
export function useChangeMeta(collection: Collection): (field: Field, meta: Values, before: Values, message: string) => Promise<boolean> {
  const text = useModelText();
  const general = useText();
  const { reload } = useStudio();
  return async (field, meta, before, message) => {
    const save = async (values: Values) => {
      await request('PATCH', `/fields/${encodeURIComponent(collection.name)}/${encodeURIComponent(field.name)}`, {
        body: { meta: values },
      });
      await reload();
    };
    const refuse = (error: unknown) => showToast(error instanceof Error ? error.message : general.unreachable);
    try {
      await save(meta);
      announceLayout(message, text.undo, () => void save(before).catch(refuse));
      return true;
    } catch (error) {
      refuse(error);
      return false;
    }
  };
}
