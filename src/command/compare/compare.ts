// `tain compare`: asks a running Directus and a running Tain the same reads and reports what differs, before a team moves.

import { readFile, writeFile } from 'node:fs/promises';
import { CommandError, type CommandInput } from '../command.js';
import { deriveReads, type Read } from './derive-reads.js';
import { htmlReport } from './html-report.js';
import { readsOfLog } from './read-log.js';
import { type EndpointResult, runComparison } from './run-comparison.js';
import { openServer, type Server } from './server.js';

const usage = 'usage: tain compare --with <url of Directus> --token … --to <url of Tain> --token …';
const administrator = 'the administrator';

export async function compare({ options, lists }: CommandInput): Promise<void> {
  const [from, to] = [addressOf(options, 'with'), addressOf(options, 'to')];
  const [token, otherToken = token] = lists.get('token') ?? [];
  if (token === undefined || otherToken === undefined) throw new CommandError(`whose answers? ${usage}`);
  const callers = readCallers(lists.get('caller') ?? []);
  const [one, other] = [
    openServer(from, new Map([[administrator, token], ...callers])),
    openServer(to, new Map([[administrator, otherToken], ...callers])),
  ];
  const reads = await chooseReads(one, options.get('requests'));
  const results = await runComparison({ one, other, reads, callers: [administrator, ...callers.keys(), null], onProgress: showProgress });
  const score = printResults(results);
  const report = options.get('report') ?? 'tain-compare.html';
  await writeFile(report, htmlReport(from, to, results, score));
  console.log(`\n${score}\nReport: ${report}`);
  if (results.some(({ different }) => different > 0)) process.exitCode = 1;
}

function addressOf(options: CommandInput['options'], name: 'with' | 'to'): string {
  const url = options.get(name);
  if (url === undefined) throw new CommandError(usage);
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new CommandError(`--${name}: "${url}" is no address beginning with http:// or https://`);
  return url;
}

/** `name=token`: static tokens are the same on both servers. */
function readCallers(written: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    written.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new CommandError(`--caller: "${text.slice(0, 20)}" has to be name=token`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

async function chooseReads(server: Server, log: string | undefined): Promise<readonly Read[]> {
  if (log === undefined)
    return deriveReads(server, administrator).catch((error: unknown) => {
      throw new CommandError(`the structure cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    });
  const text = await readFile(log, 'utf8').catch(() => {
    throw new CommandError(`the file ${log} cannot be read`);
  });
  const reads = readsOfLog(text);
  if (reads.length === 0) throw new CommandError(`${log} has no line with a GET: the common log format or JSON lines are read`);
  return reads;
}

const barWidth = 30;

/** A bar on a terminal, and a line for every tenth elsewhere. */
function showProgress(done: number, all: number): void {
  if (process.stderr.isTTY) {
    const filled = Math.round((done / all) * barWidth);
    process.stderr.write(`\r[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${done}/${all}${done === all ? '\n' : ''}`);
  } else if (Math.floor((done / all) * 10) > Math.floor(((done - 1) / all) * 10)) console.error(`${done} of ${all}`);
}

function printResults(results: readonly EndpointResult[]): string {
  const width = Math.max(...results.map(({ endpoint }) => endpoint.length));
  for (const { endpoint, equal, meant, different, samples } of results) {
    console.log(`${endpoint.padEnd(width)}  ${equal} equal, ${meant} different on purpose, ${different} different`);
    for (const { caller, path, lines } of samples) console.log([`    GET ${path} as ${caller}`, ...lines].join('\n        '));
  }
  const sum = (key: 'equal' | 'meant' | 'different'): number => results.reduce((total, result) => total + result[key], 0);
  const [equal, meant, different] = [sum('equal'), sum('meant'), sum('different')];
  const alike = Math.floor(((equal + meant) / (equal + meant + different)) * 1000) / 10;
  return `${alike} % alike: ${equal} equal, ${meant} different on purpose, ${different} different`;
}
