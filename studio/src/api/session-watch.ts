// What happens when the session ends while somebody works: whoever shows the sign-in dialog registers here, and requests wait for it.

/** Resolves to true when the same person is signed in again. */
type Renew = () => Promise<boolean>;

let renew: Renew | null = null;
let renewing: Promise<boolean> | null = null;

/** Returns the function that ends the watch. */
export function watchSession(handler: Renew): () => void {
  renew = handler;
  return () => {
    if (renew === handler) renew = null;
  };
}

export const isWatched = (): boolean => renew !== null;

/** Requests that fail together ask once. */
export function sessionRenewed(): Promise<boolean> {
  if (renew === null) return Promise.resolve(false);
  renewing ??= renew().finally(() => {
    renewing = null;
  });
  return renewing;
}
