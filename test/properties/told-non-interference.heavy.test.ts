// 20,000 pairs on each vendor; `TAIN_SEED` plays others.

import { testToldNonInterference } from './test-told-non-interference.js';

testToldNonInterference({ worlds: 10, stepsPerWorld: 84 });
