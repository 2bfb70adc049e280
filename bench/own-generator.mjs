// Replaces wrk where it is missing: keep-alive connections, each of which sends its next request when the last one is answered.
// `node own-generator.mjs <url> <file of requests> <connections> <seconds>`

import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';

const [url, file, connections, seconds] = process.argv.slice(2);
const requests = JSON.parse(readFileSync(file, 'utf8'));
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const times = [];
let failed = 0;
let next = Math.floor(Math.random() * requests.length);

const started = performance.now();
const until = started + Number(seconds) * 1000;
await Promise.all(Array.from({ length: Number(connections) }, playUntilEnd));
const us = (performance.now() - started) * 1000;
times.sort((a, b) => a - b);
const percentile = (share) => Math.round((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0) * 1000);
console.log(`@@${JSON.stringify({ requests: times.length, us, p50: percentile(0.5), p99: percentile(0.99), failed })}`);
process.exit(0);

async function playUntilEnd() {
  while (performance.now() < until) {
    next = (next + 1) % requests.length;
    const begun = performance.now();
    const status = await send(requests[next]).catch(() => 0);
    times.push(performance.now() - begun);
    if (status < 200 || status > 399) failed += 1;
  }
}

function send({ method, path, headers, body }) {
  return new Promise((resolve, reject) => {
    const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(new URL(path, url), { method, headers: { ...headers, ...length }, agent }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0)).resume();
    });
    sent.on('error', reject).end(body ?? undefined);
  });
}
