// Checks that cost does not grow faster than the work: a nested list over ten times the rows, with a thousand more collections, and an export
// of a million rows in bounded memory. `npm run bench -- scaling`; SCALE_VENDORS=sqlite,postgres selects vendors.

import { openDatabase, titles } from './databases.mjs';
import { openGenerator } from './generator.mjs';
import { median } from './play.mjs';
import { memoryOf } from './processes.mjs';
import { setUp } from './setup.mjs';
import { startTain } from './targets.mjs';
import { tokens } from './workloads.mjs';

const aims = { rows: 1.3, collections: 1.15, exportMb: 250 };
const seconds = 2;
const rounds = 5;
const vendors = (process.env.SCALE_VENDORS ?? 'sqlite,postgres').split(',');

const generator = openGenerator();
for (const vendor of vendors) {
  await measureRows(vendor);
  await measureCollections(vendor);
}
generator.close();

/** The same nested list on 100,000 and on 1,000,000 articles, in turns. */
async function measureRows(vendor) {
  const databases = [await openDatabase(vendor, 1), await openDatabase(vendor, 10, 'tain_test_bench_large')];
  const services = [];
  try {
    for (const database of databases) services.push(await startTain({ database }));
    for (const { url } of services) await setUp(url);
    judge(`${titles[vendor]}: nested list, 10 × the rows`, await compareCost(services), aims.rows);
    await measureExport(vendor, services[1]);
  } finally {
    for (const service of services) await service.stop();
    for (const database of databases) await database.close({ keep: false });
  }
}

/** The same nested list with 6 and with 1,006 collections. */
async function measureCollections(vendor) {
  const databases = [await openDatabase(vendor, 1), await openDatabase(vendor, 1, 'tain_test_bench_wide')];
  const services = [];
  try {
    for (let at = 0; at < 1000; at += 1)
      await databases[1].run(`create table if not exists extra_${at} (id integer primary key, a integer, b varchar(80), c text)`);
    for (const database of databases) services.push(await startTain({ database }));
    for (const { url } of services) await setUp(url);
    judge(`${titles[vendor]}: nested list, 1,000 more collections`, await compareCost(services), aims.collections);
  } finally {
    for (const service of services) await service.stop();
    for (const database of databases) await database.close({ keep: false });
  }
}

/** The time per request of the second service divided by that of the first: the median of the rounds. */
async function compareCost([small, large]) {
  const ratios = [];
  for (let round = 0; round <= rounds; round += 1) {
    const [before, after] = [await generator.play(small, 'c', 1, seconds), await generator.play(large, 'c', 1, seconds)];
    // The first round warms up.
    if (round > 0) ratios.push(before.rps / after.rps);
  }
  return median(ratios);
}

async function measureExport(vendor, { url, pid }) {
  const started = performance.now();
  const answer = await fetch(`${url}/items/articles?limit=-1&fields=id,title,status&export=csv`, {
    headers: { authorization: `Bearer ${tokens.admin}` },
  });
  let bytes = 0;
  for await (const chunk of answer.body) bytes += chunk.length;
  const [s, mb] = [(performance.now() - started) / 1000, memoryOf(pid).peak];
  console.log(
    `${titles[vendor]}: export of 1,000,000 rows in ${s.toFixed(1)} s, ${(bytes / 1e6).toFixed(0)} MB, peak memory ${mb.toFixed(0)} MB (aim ${aims.exportMb})`,
  );
  if (answer.status !== 200 || mb > aims.exportMb) process.exitCode = 1;
}

function judge(what, ratio, aim) {
  console.log(`${what}: ${ratio.toFixed(2)} × per request (aim ≤ ${aim})`);
  if (!(ratio <= aim)) process.exitCode = 1;
}
