// 1,000 subscribers in 10 groups while 200 items per second are changed: how long a change takes to reach all subscribers, what a delivery costs, and what
// subscribers cost in memory, beside the same writes without subscribers. `npm run bench -- realtime`, with `--vendors` and, for Directus on PostgreSQL
// in the same run, `--peers`. REALTIME_SECONDS=1 only shows that it works.

import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { openDatabase, titles } from './databases.mjs';
import { startPeers } from './peers.mjs';
import { memoryOf, treeSeconds } from './processes.mjs';
import { startTain } from './targets.mjs';
import { tokens } from './workloads.mjs';

const aims = { p95Ms: 250 };
const subscribers = 1_000;
const groups = 10;
const writesPerSecond = 200;
const seconds = Number(process.env.REALTIME_SECONDS ?? 10);
const vendors = (process.env.BENCH_VENDORS ?? 'sqlite,postgres,mysql').split(',');
const rows = [];

for (const vendor of vendors) {
  const database = await openDatabase(vendor, 1);
  const service = await startTain({ database });
  try {
    await measure(`Tain on ${titles[vendor]}`, service, aims.p95Ms);
  } finally {
    await service.stop();
    await database.close({ keep: false });
  }
}
if (process.env.BENCH_PEERS === 'on')
  for await (const peer of startPeers(1)) {
    const isDirectus = peer.name === 'directus';
    if (isDirectus) await measure('Directus on PostgreSQL', peer, null);
    await peer.stop();
    if (isDirectus) break;
  }
printTable();

async function measure(name, service, aim) {
  const atRest = memoryOf(service.pid).now;
  const alone = await write(service);
  const delays = [];
  const sockets = [];
  // In parts: the connections of all at once would be a test of the backlog.
  for (let at = 0; at < subscribers; at += 100)
    sockets.push(...(await Promise.all(Array.from({ length: 100 }, (_, of) => subscribe(service.url, (at + of) % groups, delays)))));
  const withSubscribers = memoryOf(service.pid).now;
  const followed = await write(service);
  const expected = followed.writes * (subscribers / groups);
  for (const until = performance.now() + 30_000; delays.length < expected && performance.now() < until; ) await sleep(50);
  const cost = secondsOf(service);
  for (const socket of sockets) socket.terminate();
  delays.sort((a, b) => a - b);
  const at = (share) => delays[Math.floor(delays.length * share)] ?? Number.NaN;
  const perDelivery = (of) => ((cost[of] - followed.before[of] - alone.cost[of]) / Math.max(1, delays.length)) * 1e6;
  rows.push([
    name,
    followed.rate.toFixed(0),
    `${delays.length} of ${expected}`,
    at(0.5).toFixed(0),
    at(0.95).toFixed(0),
    perDelivery('service').toFixed(0),
    Number.isNaN(perDelivery('database')) ? '' : perDelivery('database').toFixed(0),
    atRest.toFixed(0),
    withSubscribers.toFixed(0),
    memoryOf(service.pid).peak.toFixed(0),
    ((alone.cost.service / alone.writes) * 1e3).toFixed(2),
  ]);
  console.log(`${name}: ${delays.length} deliveries, p95 ${at(0.95).toFixed(0)} ms${aim === null ? '' : ` (aim ${aim})`}`);
  if (aim !== null && !(at(0.95) <= aim)) process.exitCode = 1;
}

/** Several commits in quick succession may be delivered as one, so there may be fewer deliveries than one per write and subscriber. */
function printTable() {
  const head = [
    '',
    'writes/s',
    'deliveries',
    'p50 ms',
    'p95 ms',
    'µs of the service per delivery',
    'µs of the database',
    'MB at rest',
    'with subscribers',
    'at most',
    'ms of the service per write alone',
  ];
  for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
}

/** Processor time; NaN for a database inside the service or on another machine. */
function secondsOf({ pid, databasePid }) {
  return { service: treeSeconds(pid), database: databasePid === null ? Number.NaN : treeSeconds(databasePid) };
}

/** Changes items at the given rate, each in the next group; the title holds the time of the request. */
async function write(service) {
  const { url } = service;
  const headers = { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' };
  const [before, started] = [secondsOf(service), performance.now()];
  const pending = new Set();
  let writes = 0;
  for (; performance.now() < started + seconds * 1_000; writes += 1) {
    const due = started + (writes * 1_000) / writesPerSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    const body = JSON.stringify({ title: `t${performance.now()}` });
    const sent = fetch(`${url}/items/articles/${1 + (writes % groups)}?fields=id`, { method: 'PATCH', headers, body })
      .then((answer) => answer.arrayBuffer())
      .finally(() => pending.delete(sent));
    pending.add(sent);
    if (pending.size > 50) await Promise.race(pending);
  }
  await Promise.all(pending);
  const after = secondsOf(service);
  const cost = { service: after.service - before.service, database: after.database - before.database };
  return { writes, rate: writes / ((performance.now() - started) / 1_000), before, cost };
}

/** Each group follows one of the items that are changed, among a hundred that are not. */
async function subscribe(url, group, delays) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket?access_token=${tokens.admin}`);
  const ready = new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.on('message', (data) => {
      const text = String(data);
      if (text.includes('"ping"')) socket.send('{"type":"pong"}');
      if (text.includes('"init"')) resolve();
      const sent = /"title":"t([\d.]+)"/.exec(text);
      if (sent !== null && text.includes('"update"')) delays.push(performance.now() - Number(sent[1]));
    });
  });
  const _or = [{ id: { _eq: 1 + group } }, { id: { _between: [1_000 + 100 * group, 1_099 + 100 * group] } }];
  const query = { fields: ['id', 'title', 'status'], filter: { _or }, limit: -1 };
  socket.once('open', () => socket.send(JSON.stringify({ type: 'subscribe', collection: 'articles', query, uid: '1' })));
  await ready;
  return socket;
}
