// docs/compatibility.md as text, from played recordings.

import { type Differing, type Reason, reasons } from './deliberate-differences.js';
import { type RecordedAnswer, type Reduction, reductions, type Step } from './recorded-answers.js';
import type { VendorName } from './vendors.js';

export interface PlayedAnswer {
  readonly n: number;
  readonly step: Step;
  /** As it was recorded. */
  readonly answered: RecordedAnswer;
  readonly differences: readonly (Differing & { readonly reason: Reason | null })[];
}

export interface Played {
  readonly peer: string;
  readonly vendor: VendorName;
  readonly answers: readonly PlayedAnswer[];
}

const labels: Readonly<Record<VendorName, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL', mysql: 'MariaDB' };

interface Tally {
  readonly equal: number;
  readonly meant: number;
  readonly other: number;
}

function tally(answers: readonly PlayedAnswer[]): Tally {
  const equal = answers.filter(({ differences }) => differences.length === 0).length;
  const other = answers.filter(({ differences }) => differences.some(({ reason }) => reason === null)).length;
  return { equal, meant: answers.length - equal - other, other };
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const cells = ({ equal, meant, other }: Tally): readonly number[] => [equal, meant, other];

/** `/items/articles/5` is an answer of /items. */
const endpointOf = ({ path }: Step): string => `/${path.split('/')[1]?.split('?')[0] ?? ''}`;

export function describeCompatibility(runs: readonly Played[]): string {
  const endpoints = [...new Set(runs.flatMap(({ answers }) => answers.map(({ step }) => endpointOf(step))))].sort();
  const all = runs.flatMap(({ answers }) => answers);
  const used = reasons.filter((reason) => countOf(all, reason) > 0);
  return `# Compatibility with Directus

Recorded requests of five callers (lists, nested reads, filters, aggregates, GraphQL, descriptions, files, sign-in, writes) are played against
[adopted](moving.md) copies of the database they were recorded on. The recordings and the databases are in \`test/fixtures/directus\`; the peers
made them on SQLite, and the same rows are loaded into the other vendors. A test plays them with every change and writes this page; it fails when an
answer differs without one of the reasons below.

| Recorded on | Played on | Equal | Deliberately different | Other |
|---|---|---|---|---|
${runs.map(({ peer, vendor, answers }) => row([`Directus ${peer}`, labels[vendor], ...cells(tally(answers))])).join('\n')}

## By endpoint

The sums of all runs.

| Endpoint | Equal | Deliberately different | Other |
|---|---|---|---|
${endpoints.map((endpoint) => row([`\`${endpoint}\``, ...cells(tally(all.filter(({ step }) => endpointOf(step) === endpoint)))])).join('\n')}

## Deliberate differences

| What | Why | Requests |
|---|---|---|
${used.map((reason) => row([reason.title, reason.why, countOf(all, reason)])).join('\n')}

## What is not compared

The recordings were reduced when they were made, and the answers of the service are reduced in the same way before both are compared.
Everything else is compared as it is, in the names of Directus.

| Left out, or made equal | Why | Requests |
|---|---|---|
${reductions.map((reduction) => row([reduction.title, reduction.why, stepsWith(all, reduction)])).join('\n')}
`;
}

const stepsWith = (answers: readonly PlayedAnswer[], { concerns }: Reduction): number =>
  answers.filter(({ step, answered }) => concerns(step, answered)).length;

const countOf = (answers: readonly PlayedAnswer[], reason: Reason): number =>
  answers.filter(({ differences }) => differences.some((one) => one.reason === reason)).length;
