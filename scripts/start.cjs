// `npm start`: refuses an old version of Node with a clear message, builds if dist/ is missing or older than src/, then starts the service.
// Written in old syntax, since old versions of Node must be able to run it.
'use strict';

var childProcess = require('child_process');
var fs = require('fs');
var path = require('path');

var root = path.join(__dirname, '..');
var dist = path.join(root, 'dist');
var stamp = path.join(dist, '.built');

function isOlder(found, wanted) {
  if (found[0] !== wanted[0]) return found[0] < wanted[0];
  return found[1] < (wanted[1] || 0);
}

function refuseOldNode() {
  var engines = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).engines.node;
  var wanted = engines
    .replace(/[^0-9.]/g, '')
    .split('.')
    .map(Number);
  if (!isOlder(process.versions.node.split('.').map(Number), wanted)) return;
  console.error('Tain needs Node ' + engines.replace('>=', '') + ' or newer; this is Node ' + process.versions.node + '.');
  process.exit(1);
}

function newestIn(folder) {
  var newest = 0;
  fs.readdirSync(folder, { withFileTypes: true }).forEach(function (entry) {
    var full = path.join(folder, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestIn(full) : fs.statSync(full).mtimeMs);
  });
  return newest;
}

function needsBuild() {
  if (!fs.existsSync(path.join(root, 'src'))) return false;
  return (
    !fs.existsSync(stamp) ||
    fs.statSync(stamp).mtimeMs < Math.max(newestIn(path.join(root, 'src')), newestIn(path.join(root, 'studio', 'src')))
  );
}

function run(args, options) {
  var result = childProcess.spawnSync(process.execPath, args, Object.assign({ stdio: 'inherit' }, options));
  if (result.status !== 0) process.exit(result.status || 1);
}

refuseOldNode();
if (needsBuild()) {
  console.error('Building (dist/ is missing or older than src/) ...');
  run([path.join(__dirname, 'build.mjs')], { cwd: root });
}
if (process.argv[2] !== '--build-only') {
  process.argv.splice(1, 1, path.join(dist, 'main.js'), 'start');
  require('./import-module.cjs')(require('url').pathToFileURL(process.argv[1]).href);
}
