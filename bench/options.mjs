// The flags of `npm run bench`.

import { parseArgs } from 'node:util';
import { workloads } from './workloads.mjs';

const usage = `npm run bench -- [measurement…] [flags]

Without the name of a measurement the workloads are played. Others: bulk-create, cold-start, instances, introspection, realtime, realtime-idle, scaling.

  --vendors sqlite,postgres,mysql   databases to play on (all)
  --workloads a,b,c                 which workloads (all)
  --seconds 4                       length of one play
  --rounds 3                        interleaved rounds
  --warm-up 4                       seconds that each workload is played before the first round: V8 compiles what runs often, and a target has
                                    its pace after some 8,000 requests
  --concurrency 1,32                connections
  --short                           guard against regressions: 5 rounds of 1 s with 32 connections; a ratio below its bar is red
                                    only when a repeat agrees
  --against <git ref>               the same workloads on another revision, with a database of its own
  --peers                           also Directus 12.3 and PostGraphile 5, installed from npm into a temporary folder (PostgreSQL)
  --scale 1                         size of the data set, from 1 up; 1 has 100,000 articles
  --keep                            keep the seeded database for the next run
  --json <file>                     every sample`;

export function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      vendors: { type: 'string', default: 'sqlite,postgres,mysql' },
      workloads: { type: 'string', default: Object.keys(workloads).join(',') },
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '3' },
      'warm-up': { type: 'string', default: '4' },
      concurrency: { type: 'string', default: '1,32' },
      short: { type: 'boolean', default: false },
      against: { type: 'string' },
      peers: { type: 'boolean', default: false },
      scale: { type: 'string', default: '1' },
      keep: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const list = (text) => text.split(',').filter((entry) => entry !== '');
  return {
    measurements: positionals,
    vendors: list(values.vendors),
    workloads: list(values.workloads).filter((name) => name in workloads),
    seconds: values.short ? 1 : Number(values.seconds),
    rounds: values.short ? 5 : Number(values.rounds),
    warmUp: Number(values['warm-up']),
    concurrencies: values.short ? [32] : list(values.concurrency).map(Number),
    short: values.short,
    against: values.against ?? null,
    peers: values.peers,
    scale: Number(values.scale),
    keep: values.keep,
    json: values.json ?? null,
  };
}
