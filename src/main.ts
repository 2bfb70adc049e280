#!/usr/bin/env node
// The command `tain`. Checks the version of Node before it imports the service, which an older Node may not be able to load.

import { setFlagsFromString } from 'node:v8';
import { limitYoungGeneration } from './command/young-generation.js';

const oldest = [20, 19] as const;

// By default V8 lets the heap of an export or a burst more than double before it collects garbage: about 40 MB for nothing.
setFlagsFromString('--heap-growing-percent=50');
limitYoungGeneration();

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  console.error(`Tain needs Node ${oldest.join('.')} or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
} else {
  import('./command/run-command.js').then(({ runCommand }) => runCommand(process.argv.slice(2)));
}
