// Separate from start.cjs because old versions of Node cannot parse a dynamic import.
'use strict';

module.exports = (href) => import(href);
