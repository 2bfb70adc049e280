// `tain config pull|diff|push DIR`: the configuration of a database as files of YAML, one per thing.

import { createInterface } from 'node:readline/promises';
import { ServiceError } from '../core/errors/service-error.js';
import type { Configuration, PushOptions, PushPlan } from '../service/transfer/config/configuration.js';
import { readFolder, writeFolder, writeState } from '../service/transfer/config/folder.js';
import { ConfigurationRefused } from '../service/transfer/config/thing.js';
import { CommandError, type CommandInput } from './command.js';
import { withService } from './one-shot.js';

type Action = (configuration: Configuration, folder: string, input: CommandInput) => Promise<void>;

const actions: Readonly<Record<string, Action>> = { pull, diff, push };
const usage = 'usage: tain config pull|diff|push DIR';

export async function config(input: CommandInput): Promise<void> {
  const [name = '', folder] = input.operands;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined || folder === undefined) throw new CommandError(usage);
  await withService({ ...input.config, logLevel: 'error' }, async (service) => {
    const { configuration } = await service.administer();
    await refusable(() => action(configuration, folder, input));
  });
}

async function pull(configuration: Configuration, folder: string, { options }: CommandInput): Promise<void> {
  const only = kindsOf(configuration, options);
  const { written, removed, unchanged } = await writeFolder(folder, configuration, await configuration.read(only), only);
  for (const path of written) console.log(`written ${path}`);
  for (const path of removed) console.log(`removed ${path}`);
  console.log(`${written.length} files written, ${removed.length} removed, ${unchanged} as they were.`);
}

async function diff(configuration: Configuration, folder: string, input: CommandInput): Promise<void> {
  const plan = await planFor(configuration, folder, { ...input, switches: new Set([...input.switches, 'prune']) });
  print(plan);
}

async function push(configuration: Configuration, folder: string, input: CommandInput): Promise<void> {
  const plan = await planFor(configuration, folder, input);
  print(plan);
  if (plan.conflicts.length > 0) {
    const forced = plan.conflicts.map(({ path }) => `--force ${path}`).join(' ');
    throw new CommandError(`the database was changed since: pull first, or overwrite what was changed there with ${forced}`);
  }
  if (input.switches.has('dry-run')) return console.log('Nothing was changed.');
  if (plan.differences.length > 0 && !(await isConfirmed(input))) throw new CommandError('nothing was changed');
  await writeState(folder, await plan.run());
  if (plan.differences.length > 0) console.log('Pushed.');
}

async function planFor(configuration: Configuration, folder: string, { options, lists, switches }: CommandInput): Promise<PushPlan> {
  const { things, digests } = await readFolder(folder, configuration);
  const pushing: PushOptions = {
    only: kindsOf(configuration, options),
    prune: switches.has('prune'),
    force: lists.get('force') ?? [],
    lossy: switches.has('lossy') || switches.has('dry-run'),
    folder: digests,
  };
  return configuration.plan(things, pushing);
}

function kindsOf({ kinds }: Configuration, options: CommandInput['options']): readonly string[] | null {
  const given = options.get('only')?.split(',') ?? null;
  const unknown = given?.find((kind) => !kinds.includes(kind));
  if (unknown !== undefined) throw new CommandError(`--only: there is no "${unknown}"; there are ${kinds.join(', ')}`);
  return given;
}

function print({ differences, conflicts, kept, statements }: PushPlan): void {
  if (differences.length === 0) console.log('Nothing differs.');
  for (const difference of differences) {
    const mark = conflicts.includes(difference) ? '! changed in the database since:' : ' ';
    console.log(
      `${mark} ${difference.action} ${difference.path}${difference.parts.length === 0 ? '' : ` (${difference.parts.join(', ')})`}`,
    );
  }
  for (const line of kept) console.log(`  keep ${line}`);
  for (const statement of statements) console.log(`${statement};`);
}

async function isConfirmed({ switches }: CommandInput): Promise<boolean> {
  if (switches.has('yes')) return true;
  if (process.stdin.isTTY !== true) throw new CommandError('nobody can be asked here: add --yes to push this');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Push this? [y/N] ');
  terminal.close();
  return /^y(?:es)?$/i.test(answer.trim());
}

async function refusable(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ConfigurationRefused || error instanceof ServiceError) throw new CommandError(error.message);
    throw error;
  }
}
