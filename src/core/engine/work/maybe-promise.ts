// Values that may be available at once. Awaiting them anyway costs a turn of the event loop, which is much compared to a read by key on SQLite.

export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` with the value: at once if it is available, otherwise when the promise resolves. */
export const whenReady = <T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> =>
  value instanceof Promise ? value.then(next) : next(value);
