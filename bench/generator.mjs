// Plays one workload for some seconds with `wrk -t1`, or with own-generator.mjs where wrk is not installed, which the report says.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuSeconds } from './processes.mjs';
import { requestOf, variants } from './workloads.mjs';

const sampleEveryMs = 50;

export const hasWrk = () => spawnSync('wrk', ['-v']).error === undefined;

/** `play` answers {requests, rps, p50, p99 (ms), failed, generatorShare (of one core)}. */
export function openGenerator() {
  const folder = mkdtempSync(join(tmpdir(), 'tain_bench_'));
  const wrk = hasWrk();
  return {
    name: wrk ? 'wrk -t1' : 'own generator (wrk is not installed)',
    play: (target, workload, concurrency, seconds) =>
      wrk ? playWrk(folder, target, workload, concurrency, seconds) : playOwn(folder, target, workload, concurrency, seconds),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function playWrk(folder, target, workload, concurrency, seconds) {
  const script = join(folder, `${fileName(target, workload)}.lua`);
  writeFileSync(script, luaScript(requestsOf(target, workload)));
  return run('wrk', ['-t1', `-c${concurrency}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, target.url]);
}

function playOwn(folder, target, workload, concurrency, seconds) {
  const file = join(folder, `${fileName(target, workload)}.json`);
  writeFileSync(file, JSON.stringify(requestsOf(target, workload)));
  const program = fileURLToPath(new URL('own-generator.mjs', import.meta.url));
  return run(process.execPath, [program, target.url, file, String(concurrency), String(seconds)]);
}

/** A revision's name may contain slashes. */
const fileName = ({ name }, workload) => `${name.replaceAll(/\W/g, '_')}-${workload}`;

const requestsOf = (target, workload) => variants.map((variant) => requestOf(target.dialect, workload, variant));

async function run(command, args) {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  let spent = 0;
  let at = started;
  const sampler = setInterval(() => {
    const now = cpuSeconds(child.pid);
    if (Number.isFinite(now)) [spent, at] = [now, performance.now()];
  }, sampleEveryMs);
  await new Promise((resolve) => child.once('close', resolve));
  clearInterval(sampler);
  const summary = /@@(.*)/.exec(output)?.[1];
  if (summary === undefined) throw new Error(`${command} failed: ${output.slice(0, 500)}`);
  const { requests, us, p50, p99, failed } = JSON.parse(summary);
  return {
    requests,
    rps: requests / (us / 1e6),
    p50: p50 / 1000,
    p99: p99 / 1000,
    failed,
    generatorShare: spent / ((at - started) / 1000),
  };
}

const luaText = (text) => `"${String(text).replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;

function luaScript(requests) {
  const lines = requests.map(({ method, path, headers, body }) => {
    const pairs = Object.entries(headers).map(([name, value]) => `[${luaText(name)}]=${luaText(value)}`);
    return `  wrk.format(${luaText(method)}, ${luaText(path)}, {${pairs.join(', ')}}, ${body === null ? 'nil' : luaText(body)}),`;
  });
  return `local requests, at
init = function() at = math.random(0, 99)
 requests = {
${lines.join('\n')}
} end
request = function() at = at % #requests + 1; return requests[at] end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('@@{"requests":%d,"us":%d,"p50":%.0f,"p99":%.0f,"failed":%d}\\n', summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.status + e.connect + e.read + e.write + e.timeout))
end
`;
}
