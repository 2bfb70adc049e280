// Arguments, environment and .env file become a command and its input. Flags mirror the settings: PORT is --port.

import { existsSync, readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs, parseEnv } from 'node:util';
import { flagOf, readConfig, settings, type Variables } from '../config.js';
import { type Command, CommandError, type CommandInput } from './command.js';
import { commands } from './commands.js';

export type Request =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly command: Command; readonly input: CommandInput };

const flags: NonNullable<ParseArgsConfig['options']> = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
  'env-file': { type: 'string' },
  ...Object.fromEntries(
    Object.values(commands).flatMap(({ switches = [] }) => switches.map((name) => [name, { type: 'boolean' as const }])),
  ),
  ...Object.fromEntries(Object.values(settings).map(({ name }) => [flagOf(name), { type: 'string' as const }])),
};

export function readArguments(args: readonly string[], environment: Variables): Request {
  const { values, positionals } = parse(args);
  if (values['help'] === true) return { kind: 'help' };
  if (values['version'] === true) return { kind: 'version' };
  const [name, ...operands] = positionals;
  if (name === undefined) return { kind: 'help' };
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new CommandError(`"${name}" is no command; try tain --help`);
  if (operands.length > command.maxOperands) throw new CommandError(`"${operands.at(-1)}" is too much; usage: tain ${command.usage}`);
  const file = typeof values['env-file'] === 'string' ? values['env-file'] : null;
  const config = readConfig({ ...readEnvFile(file), ...environment, ...flagVariables(values) });
  return { kind: 'run', command, input: { config, operands, switches: readSwitches(name, command, values) } };
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

function parse(args: readonly string[]): { readonly values: Values; readonly positionals: readonly string[] } {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true });
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new CommandError(`${sentence}; try tain --help`);
  }
}

function readSwitches(name: string, command: Command, values: Values): ReadonlySet<string> {
  const given = Object.values(commands).flatMap(({ switches = [] }) => switches.filter((flag) => values[flag] === true));
  const foreign = given.find((flag) => command.switches?.includes(flag) !== true);
  if (foreign !== undefined) throw new CommandError(`--${foreign} is not for tain ${name}`);
  return new Set(given);
}

const flagVariables = (values: Values): Variables =>
  Object.fromEntries(
    Object.values(settings).flatMap(({ name }) => {
      const value = values[flagOf(name)];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

function readEnvFile(told: string | null): Variables {
  const path = told ?? '.env';
  if (existsSync(path)) return parseEnv(readFileSync(path, 'utf8'));
  if (told !== null) throw new CommandError(`the file ${told} does not exist`);
  return {};
}
