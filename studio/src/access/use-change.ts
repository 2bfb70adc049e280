// Changes permissions at once, says so, and offers to take the change back.

import { showToast } from '../primitives/toasts.js';
import { useText } from '../text/use-text.js';
import { useAccessText, useRefreshAccess } from './access-data.js';

/** Takes a change back. */
type Undo = () => Promise<unknown>;

/** `act` returns null when there was nothing to change. Resolves to whether it succeeded. */
export function useChange(): (act: () => Promise<Undo | null>, message?: string) => Promise<boolean> {
  const text = useText();
  const access = useAccessText();
  const refresh = useRefreshAccess();
  const showError = (error: unknown) => showToast(error instanceof Error ? error.message : text.unreachable);
  const takeBack = async (undo: Undo) => {
    try {
      await undo();
      showToast(access.undone);
    } catch (error) {
      showError(error);
    }
    await refresh();
  };
  return async (act, message = access.changed) => {
    try {
      const undo = await act();
      if (undo !== null) showToast(message, { label: access.undo, run: () => void takeBack(undo) });
      return true;
    } catch (error) {
      showError(error);
      return false;
    } finally {
      await refresh();
    }
  };
}
