// Parses arguments, environment and .env file into a command and its input. Every setting is also a flag: PORT is --port.

import { existsSync, readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs, parseEnv } from 'node:util';
import { flagOf, readConfig, settings, type Variables } from '../config.js';
import { type Command, CommandError, type CommandInput } from './command.js';
import { commands } from './commands.js';

export type Request =
  | { readonly kind: 'help'; readonly command: string | null }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly command: Command; readonly input: CommandInput };

const flags: NonNullable<ParseArgsConfig['options']> = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
  'env-file': { type: 'string' },
  ...Object.fromEntries(
    Object.values(commands).flatMap(({ switches = {}, options = {} }) => [
      ...Object.keys(switches).map((name) => [name, { type: 'boolean' as const }]),
      ...Object.keys(options).map((name) => [name, { type: 'string' as const, multiple: true }]),
    ]),
  ),
  ...Object.fromEntries(Object.values(settings).map(({ name }) => [flagOf(name), { type: 'string' as const }])),
};

export function readArguments(args: readonly string[], environment: Variables): Request {
  const { values, positionals } = parse(args);
  if (values['version'] === true) return { kind: 'version' };
  const asksHelp = values['help'] === true || positionals[0] === 'help';
  const [name, ...operands] = asksHelp ? positionals.filter((word) => word !== 'help') : asCommand(positionals);
  if (name === undefined) return { kind: 'help', command: null };
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new CommandError(`"${name}" is no command; try tain --help`);
  if (asksHelp) return { kind: 'help', command: name };
  if (operands.length > command.maxOperands) throw new CommandError(`"${operands.at(-1)}" is too much; usage: tain ${command.usage}`);
  const file = typeof values['env-file'] === 'string' ? values['env-file'] : null;
  const config = readConfig({ ...readEnvFile(file), ...environment, ...flagVariables(values) });
  refuseForeign(name, command, values);
  const switches = new Set(Object.keys(command.switches ?? {}).filter((flag) => values[flag] === true));
  const lists = new Map(
    Object.keys(command.options ?? {}).flatMap((flag) => (Array.isArray(values[flag]) ? [[flag, values[flag].map(String)] as const] : [])),
  );
  const options = new Map([...lists].map(([flag, given]) => [flag, given.at(-1) ?? '']));
  return { kind: 'run', command, input: { config, operands, switches, options, lists } };
}

/** `tain` alone and `tain postgres://…` mean `tain start …`. */
const asCommand = (words: readonly string[]): readonly string[] =>
  words[0] === undefined || /^[a-z]+:/.test(words[0]) ? ['start', ...words] : words;

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

function parse(args: readonly string[]): { readonly values: Values; readonly positionals: readonly string[] } {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true });
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new CommandError(`${sentence}; try tain --help`);
  }
}

/** Refuses a flag of another command instead of ignoring it. */
function refuseForeign(name: string, command: Command, values: Values): void {
  const own = new Set([...Object.keys(command.switches ?? {}), ...Object.keys(command.options ?? {})]);
  const foreign = Object.values(commands)
    .flatMap(({ switches = {}, options = {} }) => [...Object.keys(switches), ...Object.keys(options)])
    .find((flag) => values[flag] !== undefined && !own.has(flag));
  if (foreign !== undefined) throw new CommandError(`--${foreign} is not for tain ${name}`);
}

const flagVariables = (values: Values): Variables =>
  Object.fromEntries(
    Object.values(settings).flatMap(({ name }) => {
      const value = values[flagOf(name)];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

/**
 * `given` is the file of --env-file, which must exist. The .env file of a Directus project is not read: of the names that both servers
 * share, the values would be taken although their forms differ.
 */
function readEnvFile(given: string | null): Variables {
  const path = given ?? '.env';
  if (existsSync(path)) {
    const variables = parseEnv(readFileSync(path, 'utf8'));
    return given === null && 'DB_CLIENT' in variables && !('DATABASE_URL' in variables) ? {} : variables;
  }
  if (given !== null) throw new CommandError(`the file ${given} does not exist`);
  return {};
}
