// `subscription-world.heavy.test.ts` takes more steps.

import { testSubscriptionWorld } from './test-subscription-world.js';

testSubscriptionWorld(5_000);
