// The part of the heap where everything begins. It doubles whenever much of it survives, as nearly all does that is made while the service
// starts, and never shrinks: some 5 MB for nothing. Under load it has to grow, or too much of a request would outlive it.

import { setFlagsFromString } from 'node:v8';

export const keepNurserySmall = (): void => setFlagsFromString('--semi-space-growth-factor=1');
export const letNurseryGrow = (): void => setFlagsFromString('--semi-space-growth-factor=2');
