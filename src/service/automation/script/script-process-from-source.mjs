// Starts script-process.ts where nothing is compiled: under the test runner and in development.

import { register } from 'tsx/esm/api';

register();
await import('./script-process.ts');
