// Callers learn nothing that they may not read: two databases that differ only in what a caller may not see give equal answers, whatever is asked and
// however, successful writes included. `non-interference.heavy.test.ts` plays ten times as much.

import { testNonInterference } from './test-non-interference.js';

testNonInterference({ worlds: 8, requestsPerWorld: 250 });
