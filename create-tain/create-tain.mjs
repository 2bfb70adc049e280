#!/usr/bin/env node
// `npm create tain [folder]`. Checks the version of Node before it loads the rest, which an older Node may not be able to.

const oldest = /** @type {const} */ ([20, 19]);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  console.error(`create-tain: Tain needs Node ${oldest.join('.')} or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
} else {
  import('./create.mjs').then(({ create }) => create(process.argv.slice(2)));
}
