// Properties play the same cases in each run, so that a change is refused for what it did; `TAIN_SEED` plays others.

import { configureGlobal } from 'fast-check';

configureGlobal({ seed: Number(process.env['TAIN_SEED'] ?? 20261119) });
