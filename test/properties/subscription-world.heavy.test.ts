// The same as `subscription-world.test.ts`, for longer.

import { testSubscriptionWorld } from './test-subscription-world.js';

testSubscriptionWorld(20_000);
