// Runs one command. Prints a failure on stderr, one line per problem and without a stack, and exits with 1.

import { ConfigError } from '../config.js';
import { DatabaseError } from '../core/vendor/database-error.js';
import { MissingRights } from '../service/system/install.js';
import { version } from '../version.js';
import { CommandError } from './command.js';
import { commandHelp, helpText } from './help-text.js';
import { readArguments } from './read-arguments.js';

export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    const request = readArguments(args, process.env);
    if (request.kind === 'help') console.log(request.command === null ? helpText() : commandHelp(request.command));
    else if (request.kind === 'version') console.log(version);
    else await request.command.run(request.input);
  } catch (error) {
    // Stopped by a signal while it was waiting for its database.
    if (error instanceof Error && error.name === 'AbortError') return;
    for (const line of explain(error)) console.error(`tain: ${line}`);
    process.exit(1);
  }
}

function explain(error: unknown): readonly string[] {
  if (error instanceof ConfigError || error instanceof MissingRights) return error.lines;
  if (error instanceof DatabaseError && error.kind === 'unavailable') {
    // A file that cannot be opened says so itself.
    const prefix = error.message.startsWith('cannot open ') ? '' : 'the database cannot be reached: ';
    return [`${prefix}${firstLine(error.message)}`];
  }
  if (error instanceof CommandError || error instanceof DatabaseError) return [firstLine(error.message)];
  if (!(error instanceof Error)) return [String(error)];
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'EADDRINUSE')
    return [`the port is in use: ${error.message.replace(/^listen EADDRINUSE: address already in use /, '')}; choose another with --port`];
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') return [`cannot listen: ${firstLine(error.message)}`];
  return [firstLine(error.message)];
}

const firstLine = (message: string): string => message.split('\n', 1)[0] ?? '';
