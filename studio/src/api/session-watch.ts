// What happens when the session ends while somebody works: the component with the sign-in dialog registers here, and failed requests wait
// for it.

/** Resolves to true when the same person is signed in again. */
type Renew = () => Promise<boolean>;

let renew: Renew | null = null;
let renewing: Promise<boolean> | null = null;

/** Returns the function that unregisters the handler. */
export function watchSession(handler: Renew): () => void {
  renew = handler;
  return () => {
    if (renew === handler) renew = null;
  };
}

export const isWatched = (): boolean => renew !== null;

/** Requests that fail at the same time share one dialog. */
export function sessionRenewed(): Promise<boolean> {
  if (renew === null) return Promise.resolve(false);
  renewing ??= renew().finally(() => {
    renewing = null;
  });
  return renewing;
}
