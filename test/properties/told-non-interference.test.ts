// `told-non-interference.heavy.test.ts` plays ten times as much.

import { testToldNonInterference } from './test-told-non-interference.js';

testToldNonInterference({ worlds: 1, stepsPerWorld: 84 });
