// `tain --help`: the commands and every setting with its default.

import { flagOf, settings } from '../config.js';
import { commands } from './commands.js';

const pad = (text: string, width: number): string => text.padEnd(width);

export function helpText(): string {
  const commandLines = Object.values(commands).map(({ usage, about }) => `  tain ${pad(usage, 24)} ${about}`);
  const settingLines = Object.values(settings).map(
    ({ name, default: preset, about }) => `  --${pad(flagOf(name), 22)} ${about}${preset ? ` (${preset})` : ''}`,
  );
  return [
    'Tain mirrors an SQL database as a REST API and a GraphQL API.',
    '',
    ...commandLines,
    '',
    'Settings, as flags or in the environment (--port 9000 is PORT=9000), or in the file .env (--env-file FILE):',
    ...settingLines,
    '',
    '  --help, --version',
  ].join('\n');
}
