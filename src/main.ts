#!/usr/bin/env node
// The command `tain`. It imports nothing before it knows that this Node can run the rest.

const oldest = [20, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  console.error(`Tain needs Node ${oldest.join('.')} or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
} else {
  import('./command/run-command.js').then(({ runCommand }) => runCommand(process.argv.slice(2)));
}

export {};
