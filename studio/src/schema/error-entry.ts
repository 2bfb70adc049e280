// One failed rule, as the service answers it.

export interface ErrorEntry {
  readonly message: string;
  readonly extensions: {
    readonly code: string;
    readonly collection?: string;
    readonly type?: string;
    readonly value?: unknown;
    readonly field?: string;
    readonly path?: readonly (string | number)[];
    readonly reason?: string;
    /** What is wrong, one line each. */
    readonly problems?: readonly string[];
    /** The place of the item in a list. */
    readonly index?: number;
    /** The place of the operation in a batch. */
    readonly operation?: number;
    /** The name of the reason, where the service gives it one; its parameters stand beside it. */
    readonly refusal?: string;
    readonly constraint?: string;
    readonly [parameter: string]: unknown;
  };
}
