#!/usr/bin/env node
// The command `tain`. It imports nothing of the service before it knows that this Node can run it.

import { setFlagsFromString } from 'node:v8';
import { keepNurserySmall } from './command/nursery.js';

const oldest = [20, 19] as const;

// Otherwise the heap of an export or a burst doubles and more before its garbage is looked for: some 40 MB for nothing.
setFlagsFromString('--heap-growing-percent=50');
keepNurserySmall();

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  console.error(`Tain needs Node ${oldest.join('.')} or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
} else {
  import('./command/run-command.js').then(({ runCommand }) => runCommand(process.argv.slice(2)));
}
