// Compares 10,000 flat items in one request with a hand-written multi-row insert over the same driver package, in turns. Aim: at least half
// as fast by the clock. Also printed: the same insert including parsing the request's text, which no service can avoid, and the processor
// time of all processes, the database's threads included. `npm run bench -- bulk-create`; BULK_VENDORS=sqlite,postgres selects vendors.

import { openDatabase, titles } from './databases.mjs';
import { makeTables } from './dataset.mjs';
import { openHand } from './hand-insert.mjs';
import { median } from './play.mjs';
import { threadSeconds, threadsOf } from './processes.mjs';
import { startTain } from './targets.mjs';
import { tokens } from './workloads.mjs';

const aim = 0.5;
const rounds = Number(process.env.BULK_ROUNDS ?? 7);
/** Rounds that do not count, until the service is warm. */
const warmUps = 3;
const vendors = (process.env.BULK_VENDORS ?? 'sqlite,postgres,mysql').split(',');
/** Few articles, but all authors and categories that the new ones refer to. */
const seedScale = 0.01;
/** The scale at which the data set has 10,000 articles. */
const batchScale = 0.1;

const { columns, rows } = makeBatch();
/** Encoded beforehand, since the client's work is not measured. */
const body = Buffer.from(JSON.stringify(rows.map(toItem)));

for (const vendor of vendors) await measure(vendor);

/** Rows in the order of their columns, without keys. */
function makeBatch() {
  for (const table of makeTables(batchScale))
    if (table.name === 'articles') return { columns: table.columns.slice(1), rows: [...table.rows].map((row) => row.slice(1)) };
}

function toItem(row) {
  return Object.fromEntries(columns.map((name, at) => [name, name === 'metadata' ? JSON.parse(row[at]) : row[at]]));
}

function toRow(item) {
  return columns.map((name) => (name === 'metadata' ? JSON.stringify(item[name]) : item[name]));
}

async function measure(vendor) {
  const database = await openDatabase(vendor, seedScale, `tain_test_bench_bulk_${process.pid}`);
  const hand = await openHand(vendor, database.url, 'articles', columns);
  let service = null;
  try {
    service = await startTain({ database, env: { BODY_LIMIT: '64MB' } });
    const ways = {
      hand: () => hand.insert(rows),
      text: () => hand.insert(JSON.parse(body).map(toRow)),
      keys: () => create(service, '?fields=id'),
      items: () => create(service, ''),
    };
    const costs = await playInTurns(ways, () => processorSeconds(service, hand), database);
    report(vendor, costs);
  } finally {
    await service?.stop();
    await hand.close();
    await database.close({ keep: false });
  }
}

async function playInTurns(ways, processorTime, database) {
  const costs = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round += 1)
    for (const [name, act] of Object.entries(ways)) {
      await database.reset();
      const before = { cpu: await processorTime(), own: process.cpuUsage(), at: performance.now() };
      await act();
      const [wall, own] = [(performance.now() - before.at) / 1000, process.cpuUsage(before.own)];
      const spent = (await processorTime()) - before.cpu;
      // The insert by hand runs in this process, whose time then counts as well.
      if (round >= 0) costs[name].push({ wall, cpu: isOwn(name) ? spent + (own.user + own.system) / 1e6 : spent });
    }
  return costs;
}

function isOwn(way) {
  return way === 'hand' || way === 'text';
}

async function processorSeconds(service, hand) {
  const threads = [...threadsOf(service.pid), ...(await hand.databaseThreads())];
  return threads.reduce((sum, thread) => sum + threadSeconds(thread), 0);
}

async function create({ url }, query) {
  const answer = await fetch(`${url}/items/articles${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' },
    body,
  });
  const text = await answer.text();
  const items = text.split('{"id":').length - 1;
  if (items !== rows.length) throw new Error(`${answer.status}: ${items} items`);
}

function report(vendor, costs) {
  const of = (way, figure) => median(costs[way].map((cost) => cost[figure]));
  const ratio = (way, base, figure = 'wall') => (of(base, figure) / of(way, figure)).toFixed(2);
  const ms = (way) => `${(of(way, 'wall') * 1000).toFixed(0)} ms`;
  console.log(`${titles[vendor]}, ${rows.length} items: by hand ${ms('hand')}, from the text ${ms('text')}`);
  for (const [way, title] of [
    ['keys', '?fields=id'],
    ['items', 'all fields'],
  ])
    console.log(
      `  ${title} ${ms(way)}: ${ratio(way, 'hand')} × of the insert${way === 'keys' ? ` (aim ≥ ${aim})` : ''}, ${ratio(way, 'text')} × of that from the text; ` +
        `by processor time ${ratio(way, 'hand', 'cpu')} × and ${ratio(way, 'text', 'cpu')} ×`,
    );
  if (!(ratio('keys', 'hand') >= aim)) process.exitCode = 1;
}
