// 1,000 subscribers in 10 groups while 200 items per second are changed: how long a change takes to reach everybody, what a delivery costs, and what
// subscribers cost in memory. Then the same writes without subscribers. `npm run bench -- realtime`; REALTIME_VENDORS=sqlite,postgres selects
// vendors, REALTIME_PEER=on adds Directus on PostgreSQL.

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
const seconds = 10;
const vendors = (process.env.REALTIME_VENDORS ?? 'sqlite,postgres,mysql').split(',');

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
if (process.env.REALTIME_PEER === 'on')
  for await (const peer of startPeers(1)) {
    const isDirectus = peer.name === 'directus';
    if (isDirectus) await measure('Directus on PostgreSQL', peer, null);
    await peer.stop();
    if (isDirectus) break;
  }

async function measure(name, service, aim) {
  const atRest = memoryOf(service.pid).now;
  const alone = await write(service);
  const delays = [];
  const sockets = await Promise.all(Array.from({ length: subscribers }, (_, at) => subscribe(service.url, at % groups, delays)));
  const withSubscribers = memoryOf(service.pid).now;
  const followed = await write(service);
  const expected = followed.writes * (subscribers / groups);
  for (const until = performance.now() + 30_000; delays.length < expected && performance.now() < until; ) await sleep(50);
  for (const socket of sockets) socket.terminate();
  delays.sort((a, b) => a - b);
  const at = (share) => delays[Math.floor(delays.length * share)] ?? Number.NaN;
  const perDelivery = ((followed.cpu - alone.cpu) / Math.max(1, delays.length)) * 1e6;
  console.log(
    `${name}: ${followed.rate.toFixed(0)} writes/s, ${delays.length} deliveries (${expected} if none were told together), ` +
      `p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms${aim === null ? '' : ` (aim ${aim})`}, ${perDelivery.toFixed(0)} µs processor time per delivery, ` +
      `${withSubscribers.toFixed(0)} MB with subscribers (${atRest.toFixed(0)} at rest, ${memoryOf(service.pid).peak.toFixed(0)} at most)`,
  );
  console.log(
    `${name}, no subscribers: ${alone.rate.toFixed(0)} writes/s, ${((alone.cpu / alone.writes) * 1e3).toFixed(2)} ms processor time per write`,
  );
  if (aim !== null && !(at(0.95) <= aim)) process.exitCode = 1;
}

/** Changes items at the given rate, each in the next group; the title holds the time of the request. */
async function write({ url, pid }) {
  const headers = { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' };
  const [cpu, started] = [treeSeconds(pid), performance.now()];
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
  return { writes, rate: writes / ((performance.now() - started) / 1_000), cpu: treeSeconds(pid) - cpu };
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
