// Plays workloads on several targets in interleaved rounds (A, B, A, B, …), so that whatever else the machine does meets all of them.

import { cpuSeconds, memoryOf } from './processes.mjs';
import { requestOf } from './workloads.mjs';

/** Above this share of a core the generator is the bottleneck: its figure says nothing about the server. */
const generatorFull = 0.9;
const warmUpSeconds = 1;

/** Samples {round, workload, concurrency, target, rps, p50, p99, failed, generatorShare, serverShare, memory}. */
export async function play({ generator, targets, workloads, concurrencies, rounds, seconds, onProgress }) {
  const samples = [];
  for (let round = 1; round <= rounds; round += 1)
    for (const workload of workloads)
      for (const concurrency of concurrencies)
        for (const target of targets) {
          if (!target.workloads.has(workload)) continue;
          onProgress(`round ${round}/${rounds}, ${workload} with ${concurrency}, ${target.name}`);
          await Promise.all(targets.map(drain));
          if (round === 1) await generator.play(target, workload, concurrency, Math.min(warmUpSeconds, seconds));
          const before = { cpu: cpuSeconds(target.pid), at: performance.now() };
          const result = await generator.play(target, workload, concurrency, seconds);
          const serverShare = (cpuSeconds(target.pid) - before.cpu) / ((performance.now() - before.at) / 1000);
          samples.push({ round, workload, concurrency, target: target.name, ...result, serverShare, memory: memoryOf(target.pid).now });
        }
  return samples;
}

/**
 * Requests the generator gave up on may still be at work in a server: wait until cheap ones are answered behind them. In every server,
 * not only in the one that plays next: one that works off what nobody waits for takes its share of the processor from the others.
 */
async function drain(target) {
  const { method, path, headers, body } = requestOf(target.dialect, 'a', 1);
  const ask = async () => (await fetch(target.url + path, { method, headers, ...(body === null ? {} : { body }) })).arrayBuffer();
  for (let turn = 0; turn < 2; turn += 1) await Promise.all(Array.from({ length: 8 }, ask));
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return sorted.length === 0 ? Number.NaN : (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

/** One row per workload, concurrency and target; `ratio` to the target `base` is the median of the rounds' own ratios. */
export function summarize(samples, base) {
  const rows = new Map();
  for (const sample of samples) {
    const name = `${sample.concurrency} ${sample.workload} ${sample.target}`;
    rows.set(name, [...(rows.get(name) ?? []), sample]);
  }
  return [...rows.values()].map((list) => {
    const [{ workload, concurrency, target }] = list;
    const of = (figure) => median(list.map((sample) => sample[figure]));
    const ratios = list.map((sample) => sample.rps / (rpsOf(samples, base, sample) ?? Number.NaN));
    const baseList = samples.filter((sample) => sample.target === base && isSameCell(sample, list[0]));
    const generatorShare = Math.max(of('generatorShare'), median(baseList.map((sample) => sample.generatorShare)) || 0);
    return {
      workload,
      concurrency,
      target,
      rps: of('rps'),
      p50: of('p50'),
      p99: of('p99'),
      ratio: median(ratios),
      failed: list.reduce((sum, sample) => sum + sample.failed, 0),
      generatorShare: of('generatorShare'),
      serverShare: of('serverShare'),
      memory: Math.max(...list.map((sample) => sample.memory)),
      void: generatorShare > generatorFull,
    };
  });
}

const isSameCell = (a, b) => a.workload === b.workload && a.concurrency === b.concurrency;
const rpsOf = (samples, target, like) =>
  samples.find((sample) => sample.target === target && sample.round === like.round && isSameCell(sample, like))?.rps;
