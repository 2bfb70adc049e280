// The version of the package, from package.json.

import { readFileSync } from 'node:fs';

const { version: stated } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };

export const version: string = stated;
