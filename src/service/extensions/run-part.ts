// Runs a function of an extension until its deadline, and until all that it asked for has ended. What it asks for afterwards is refused, so that
// nothing of it happens behind the end of the transaction that it takes part in.

import { ExtensionFault, faultOf } from './fault.js';

/** A function that runs: what it asks the service for goes through here. */
export interface Part {
  readonly extension: string;
  /** Where it runs, for the log: `before of orders`. */
  readonly where: string;
  readonly signal: AbortSignal;
  /** One after the other: a transaction has one connection, and its savepoints enclose each other. */
  inTurn<T>(act: () => Promise<T>): Promise<T>;
  /** Beside each other, for what is in no transaction. */
  beside<T>(act: () => Promise<T>): Promise<T>;
}

export interface PartOptions {
  readonly extension: string;
  readonly where: string;
  readonly deadlineMs: number;
}

class RunningPart implements Part {
  readonly extension: string;
  readonly where: string;
  readonly #stop = new AbortController();
  readonly #begun = new Set<Promise<unknown>>();
  #last: Promise<unknown> = Promise.resolve();
  #underWay = 0;
  #isOver = false;

  constructor({ extension, where }: PartOptions) {
    this.extension = extension;
    this.where = where;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Whether the function has returned before what it asked for has ended. */
  get isAhead(): boolean {
    return this.#underWay > 0;
  }

  inTurn<T>(act: () => Promise<T>): Promise<T> {
    return this.#begin(() => {
      const turn = this.#last.then(() => this.#unlessOver(act));
      this.#last = turn.catch(() => undefined);
      return turn;
    });
  }

  beside<T>(act: () => Promise<T>): Promise<T> {
    return this.#begin(() => this.#unlessOver(act));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.#stop.abort();
    await Promise.allSettled(this.#begun);
  }

  #begin<T>(act: () => Promise<T>): Promise<T> {
    const counted = this.#counted(act);
    this.#begun.add(counted);
    // A failure that the function does not look at must not end the process.
    counted.catch(() => undefined).finally(() => this.#begun.delete(counted));
    return counted;
  }

  async #counted<T>(act: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await act();
    } finally {
      this.#underWay -= 1;
    }
  }

  async #unlessOver<T>(act: () => Promise<T>): Promise<T> {
    if (this.#isOver) throw new ExtensionFault(this.extension, `asks for something after the end of ${this.where}`);
    return act();
  }
}

export async function runPart<T>(options: PartOptions, run: (part: Part) => T | Promise<T>): Promise<T> {
  const { extension, where } = options;
  const part = new RunningPart(options);
  try {
    const result = await untilDeadline(options, async () => run(part));
    if (part.isAhead) throw new ExtensionFault(extension, `returned from ${where} before what it had asked for was done: await it`);
    return result;
  } catch (error) {
    throw faultOf(extension, where, error);
  } finally {
    await part.end();
  }
}

async function untilDeadline<T>({ extension, where, deadlineMs }: PartOptions, run: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ExtensionFault(extension, `did not end ${where} within ${deadlineMs / 1000} s`)), deadlineMs);
  });
  try {
    return await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
  }
}
