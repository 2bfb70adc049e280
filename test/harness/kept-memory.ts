// The memory of this process that nothing can free: what is in use after the garbage is collected.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** In bytes. What a finaliser holds is free after the second collection. */
export async function keptMemory(): Promise<number> {
  for (let times = 0; times < 3; times += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
