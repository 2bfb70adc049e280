// 20,000 pairs of requests on each vendor; `TAIN_SEED` plays others.

import { testNonInterference } from './test-non-interference.js';

testNonInterference({ worlds: 40, requestsPerWorld: 500 });
