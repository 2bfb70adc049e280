// Apart from start.cjs because old Nodes cannot even parse a dynamic import.
'use strict';

module.exports = (href) => import(href);
