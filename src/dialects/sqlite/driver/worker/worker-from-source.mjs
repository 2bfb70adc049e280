// Starts worker.ts from the sources, for tests and development.

import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
