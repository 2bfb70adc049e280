// `tain schema snapshot|diff|apply`: the structure of the database as a file, in YAML or, for a name that ends in .json, in JSON.

import { readFile, writeFile } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import type { HashedDiff } from '../service/structure/migrate-structure.js';
import { applyDiff, diffSnapshot } from '../service/structure/migrate-structure.js';
import { snapshotDocument } from '../service/structure/snapshot/select-collections.js';
import { parseSnapshot } from '../service/structure/snapshot/snapshot.js';
import type { Administration } from '../tain.js';
import { CommandError, type CommandInput } from './command.js';
import { withService } from './one-shot.js';

type Action = (administration: Administration, file: string | undefined, switches: ReadonlySet<string>) => Promise<void>;

const actions: Readonly<Record<string, Action>> = { snapshot, diff, apply };

export async function schema({ config, operands, switches }: CommandInput): Promise<void> {
  const [name = '', file] = operands;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new CommandError('usage: tain schema snapshot|diff|apply [file]');
  await withService(config, async (service) => action(await service.administer(), file, switches));
}

async function snapshot({ structure, origin }: Administration, file: string | undefined): Promise<void> {
  const document = { ...origin, ...snapshotDocument(structure.snapshot()) };
  if (file === undefined) console.log(stringify(document));
  else await writeFile(file, file.endsWith('.json') ? `${JSON.stringify(document, null, 2)}\n` : stringify(document));
}

/** Prints the difference between the database and the file, as a diff and as statements. */
async function diff(administration: Administration, file: string | undefined, switches: ReadonlySet<string>): Promise<void> {
  const found = await compare(administration, file, switches);
  if (found === null) return;
  console.log(stringify(found.diff));
  await printStatements(administration, found);
}

async function apply(administration: Administration, file: string | undefined, switches: ReadonlySet<string>): Promise<void> {
  const found = await compare(administration, file, switches);
  if (found === null) return;
  const change = applyDiff(found, { force: false, lossy: switches.has('lossy') });
  await printStatements(administration, found);
  if (switches.has('dry-run')) return;
  await administration.structure.run(administration.caller(), change);
  console.log('Applied.');
}

/** Prints so and resolves to null when nothing differs. */
async function compare(
  { structure, caller }: Administration,
  file: string | undefined,
  switches: ReadonlySet<string>,
): Promise<HashedDiff | null> {
  if (file === undefined) throw new CommandError('which file? usage: tain schema diff|apply FILE');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandError(`the file ${file} cannot be read`);
  });
  const [present, document] = [structure.snapshot(), readDocument(file, text)];
  const { nameOf } = caller().view.schema;
  const found = diffSnapshot(present, document, switches.has('merge') ? 'merge' : 'mirror', nameOf);
  const { views, ignored } = parseSnapshot(document, nameOf);
  if (ignored.length > 0) console.error(`Without a counterpart here, left out: ${ignored.join(', ')}.`);
  const missing = views.filter((view) => !present.views.includes(view));
  if (missing.length > 0) console.error(`A snapshot only names views. Not here: ${missing.join(', ')}.`);
  if (found === null) console.log('Nothing differs.');
  return found;
}

/** Reads both formats: JSON is a subset of YAML. */
function readDocument(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new CommandError(`${file} is neither YAML nor JSON: ${String(error)}`);
  }
}

async function printStatements({ structure }: Administration, found: HashedDiff): Promise<void> {
  const { statements } = await structure.preview(applyDiff(found, { force: false, lossy: true }));
  for (const statement of statements) console.log(`${statement};`);
}
