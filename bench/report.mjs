// Prints the tables of a run.

import { barConcurrency, bars } from './bars.mjs';
import { titles } from './databases.mjs';
import { workloads } from './workloads.mjs';

export function printTable({ vendor, rows, statements, base, concurrency }) {
  console.log(`\n${titles[vendor]}, ${concurrency} client${concurrency === 1 ? '' : 's'} (ratio to ${base})`);
  const head = [
    'workload',
    'target',
    'req/s',
    'p50 ms',
    'p99 ms',
    'ratio',
    'bar',
    'statements',
    'service CPU us',
    'database CPU us',
    'generator CPU',
    'RSS MB',
    '',
  ];
  const body = rows.filter((row) => row.concurrency === concurrency).map((row) => cellsOf(vendor, row, statements));
  printAligned([head, ...body]);
}

function cellsOf(vendor, row, statements) {
  const bar = row.target === 'tain' && row.concurrency === barConcurrency ? bars[vendor][row.workload] : undefined;
  const remarks = [
    ...(row.failed > 0 ? [`${row.failed} failed`] : []),
    ...(row.void ? ['void: the generator was the bottleneck'] : bar !== undefined && row.ratio < bar ? ['below the bar'] : []),
  ];
  return [
    `${row.workload} ${workloads[row.workload]}`,
    row.target,
    figure(row.rps),
    figure(row.p50),
    figure(row.p99),
    row.void || !Number.isFinite(row.ratio) ? '-' : row.ratio.toFixed(2),
    bar === undefined ? '' : bar.toFixed(2),
    row.target === 'tain' ? String(statements.get(row.workload) ?? '-') : '',
    figure(row.serviceCpu),
    figure(row.databaseCpu),
    share(row.generatorShare),
    figure(row.memory),
    remarks.join(', '),
  ];
}

const figure = (value) =>
  Number.isFinite(value) ? (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)) : '-';
const share = (value) => (Number.isFinite(value) ? `${Math.round(value * 100)} %` : '-');

/** As a Markdown table, to be pasted into docs/performance.md. */
function printAligned(lines) {
  const widths = lines[0].map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  const print = (line) => console.log(`| ${line.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`);
  print(lines[0]);
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  for (const line of lines.slice(1)) print(line);
}
