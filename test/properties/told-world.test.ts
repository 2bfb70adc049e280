// `told-world.heavy.test.ts` takes more steps.

import { testToldWorld } from './test-told-world.js';

testToldWorld(5_000);
