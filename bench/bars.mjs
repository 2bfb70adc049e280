// The bars: the lowest acceptable ratio to the bare handler in the same run, with 32 clients.

const onPostgres = { a: 0.55, b: 0.6, c: 0.8, d: 0.75, e: 0.9, f: 0.5, g: 0.45, h: 0.8, i: 0.9, j: 0.55 };

export const barConcurrency = 32;
export const bars = { postgres: onPostgres, sqlite: onPostgres, mysql: { c: 0.75, d: 0.75 } };
