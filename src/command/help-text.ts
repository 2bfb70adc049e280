// The texts of `tain --help` (all commands and settings) and of `tain <command> --help` (its flags and examples).

import { flagOf, settings } from '../config.js';
import { commands } from './commands.js';

const flagLine = (flag: string, about: string): string => `  --${flag.padEnd(22)} ${about}`;

export function helpText(): string {
  const commandLines = Object.values(commands).map(({ usage, about }) => `  tain ${usage.padEnd(36)} ${about}`);
  const settingLines = Object.values(settings).map(({ name, default: preset, about }) =>
    flagLine(flagOf(name), `${about}${preset ? ` (${preset})` : ''}`),
  );
  return [
    'Tain mirrors an SQL database as a REST API and a GraphQL API.',
    '',
    ...commandLines,
    '',
    'Settings, as flags or in the environment (--port 9000 is PORT=9000), or in the file .env (--env-file FILE):',
    ...settingLines,
    '',
    '  --help, --version; tain <command> --help explains one command',
  ].join('\n');
}

export function commandHelp(name: string): string {
  const command = commands[name];
  if (command === undefined) return helpText();
  const { usage, about, switches = {}, options = {}, examples } = command;
  const flags = [
    ...Object.entries(switches).map(([flag, meaning]) => flagLine(flag, meaning)),
    ...Object.entries(options).map(([flag, meaning]) => flagLine(`${flag} VALUE`, meaning)),
  ];
  return [
    `tain ${usage}`,
    `  ${about}`,
    ...(flags.length === 0 ? [] : ['', ...flags]),
    '',
    'For example:',
    ...examples.map((line) => `  ${line}`),
    '',
    'Every setting is a flag, too (--database-url, --port …): tain --help lists them.',
  ].join('\n');
}
