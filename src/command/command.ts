// The form of a command of `tain`.

import type { Config } from '../config.js';

export interface CommandInput {
  readonly config: Config;
  /** The arguments after the command's name that are no flags. */
  readonly operands: readonly string[];
  /** The given ones among the command's own switches. */
  readonly switches: ReadonlySet<string>;
  /** The given values of the command's own options. */
  readonly options: ReadonlyMap<string, string>;
  /** All values of an option that is given more than once. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

export interface Command {
  readonly usage: string;
  readonly about: string;
  readonly maxOperands: number;
  /** Flags of this command alone, without a value, and what each does. */
  readonly switches?: Readonly<Record<string, string>>;
  /** Flags of this command alone, with a value, and what each means. */
  readonly options?: Readonly<Record<string, string>>;
  /** Complete command lines for `tain <command> --help`. */
  readonly examples: readonly string[];
  /** Resolves when the command is done, or when the server it starts is running. */
  run(input: CommandInput): Promise<void>;
}

/** A failure that one line explains to the user. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
