// What a command of `tain` is.

import type { Config } from '../config.js';

export interface CommandInput {
  readonly config: Config;
  /** What stands after the command's name and is no flag. */
  readonly operands: readonly string[];
  /** Those of the command's own switches that were given. */
  readonly switches: ReadonlySet<string>;
}

export interface Command {
  readonly usage: string;
  readonly about: string;
  readonly maxOperands: number;
  /** Flags of this command alone, without a value. */
  readonly switches?: readonly string[];
  /** Resolves when the command is done, or when it has started what goes on by itself. */
  run(input: CommandInput): Promise<void>;
}

/** A failure the user can understand from one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
