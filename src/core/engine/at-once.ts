// Values that may be there already. Waiting for what is there costs a turn of the event loop, which is much beside a read by key.

export type MaybeLater<T> = T | Promise<T>;

/** Goes on with the value: at once where it is there, else when it comes. */
export const goOnWith = <T, U>(value: MaybeLater<T>, next: (value: T) => MaybeLater<U>): MaybeLater<U> =>
  value instanceof Promise ? value.then(next) : next(value);
