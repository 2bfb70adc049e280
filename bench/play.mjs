// Plays workloads on several targets in interleaved rounds (A, B, A, B, …), so that other load on the machine affects all of them alike.

import { memoryOf, treeSeconds } from './processes.mjs';
import { requestOf } from './workloads.mjs';

/** Above this share of a core the generator is the bottleneck, and the figure says nothing about the server. */
const generatorFull = 0.9;
/**
 * Samples {round, workload, concurrency, target, rps, p50, p99, failed, generatorShare, serviceCpu, databaseCpu, memory}. The times are
 * microseconds of processor time per request: of the target with its workers, and of the database server as a whole, where it is local.
 */
export async function play({ generator, targets, workloads, concurrencies, rounds, seconds, warmUp, onProgress }) {
  const samples = [];
  for (let round = 1; round <= rounds; round += 1)
    for (const workload of workloads)
      for (const concurrency of concurrencies)
        for (const target of targets) {
          if (!target.workloads.has(workload)) continue;
          onProgress(`round ${round}/${rounds}, ${workload} with ${concurrency}, ${target.name}`);
          await Promise.all(targets.map(drain));
          if (round === 1) await generator.play(target, workload, concurrency, warmUp);
          const before = processorTime(target);
          const { requests, ...result } = await generator.play(target, workload, concurrency, seconds);
          const after = processorTime(target);
          const perRequest = (part) => ((after[part] - before[part]) / requests) * 1e6;
          const cost = { serviceCpu: perRequest('service'), databaseCpu: perRequest('database') };
          samples.push({ round, workload, concurrency, target: target.name, ...result, ...cost, memory: memoryOf(target.pid).now });
        }
  return samples;
}

/** In seconds. A vendor without a server, as SQLite, has no time of its own: its work is part of the service's. */
const processorTime = ({ pid, databasePid }) => ({
  service: treeSeconds(pid),
  database: databasePid === null ? Number.NaN : treeSeconds(databasePid),
});

/**
 * Waits until a server answers cheap requests, and so has finished those that the generator gave up on. All servers are drained, not only the
 * next one to play: a server that still works on abandoned requests takes processor time from the others.
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

/** One row per workload, concurrency and target. `ratio` is the median of the ratios to the target `base` in each round. */
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
      serviceCpu: of('serviceCpu'),
      databaseCpu: of('databaseCpu'),
      memory: Math.max(...list.map((sample) => sample.memory)),
      void: generatorShare > generatorFull,
    };
  });
}

const isSameCell = (a, b) => a.workload === b.workload && a.concurrency === b.concurrency;
const rpsOf = (samples, target, like) =>
  samples.find((sample) => sample.target === target && sample.round === like.round && isSameCell(sample, like))?.rps;
