// The size of V8's young generation. It doubles whenever many of its objects survive, as they do while the service starts, and does not
// shrink afterwards: about 5 MB for nothing. Under load it has to grow, or the objects of a request would outlive it and be promoted.

import { setFlagsFromString } from 'node:v8';

export const limitYoungGeneration = (): void => setFlagsFromString('--semi-space-growth-factor=1');
export const releaseYoungGeneration = (): void => setFlagsFromString('--semi-space-growth-factor=2');
