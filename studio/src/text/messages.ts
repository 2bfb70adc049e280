// What every language has to say: the type of the English texts.

import type { english } from './english/main.js';

export type Messages = typeof english;
