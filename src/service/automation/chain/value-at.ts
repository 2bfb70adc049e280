// Paths into values: `$trigger.body.list[0].name`, `list.0`, `list.length`. Only what the values themselves contain is found, so that no path
// leads to what the language adds to them.

/** Undefined: there is nothing at this path. */
export function valueAt(values: unknown, path: string): unknown {
  let found = values;
  for (const name of path.replaceAll(/\[(\d{1,9})\]/g, '.$1').split('.')) {
    if (typeof found === 'string' && name === 'length') found = found.length;
    else if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name)) return undefined;
    else found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}
