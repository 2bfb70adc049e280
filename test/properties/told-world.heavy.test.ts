// The same as `told-world.test.ts`, for longer.

import { testToldWorld } from './test-told-world.js';

testToldWorld(20_000);
