// The settings of one provider as they are written, in the environment or in the database.

import type * as kinds from '../../../../core/util/setting-kinds.js';
import { withoutPrefix } from './value-kinds.js';

/** Texts by the names of the settings: `ISSUER_URL`. */
export type WrittenSettings = Readonly<Record<string, string>>;

/** The settings of one provider. Remembers which were read, so that the others can be refused. */
export class GivenSettings {
  readonly #prefix: string;
  readonly #variables: ReadonlyMap<string, string>;
  readonly #problems: string[];
  readonly #read = new Set<string>();

  /** `prefix` precedes the names of settings in `problems`. */
  constructor(written: WrittenSettings, prefix: string, problems: string[]) {
    this.#prefix = prefix;
    this.#problems = problems;
    this.#variables = new Map(
      Object.entries(written)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => [plainName(name), value]),
    );
  }

  read<T, D>(name: string, kind: kinds.Kind<T>, otherwise: D): T | D {
    this.#read.add(name);
    const written = this.#variables.get(name);
    if (written === undefined) return otherwise;
    try {
      return kind.parse(written);
    } catch {
      this.refuse(name, `is not ${kind.wanted}`);
      return otherwise;
    }
  }

  needed<T>(name: string, kind: kinds.Kind<T>): T | null {
    if (!this.#variables.has(name)) this.refuse(name, 'is required');
    return this.read(name, kind, null);
  }

  /** The remaining settings that begin with `start`, by the rest of their names in lower case. */
  readAll(start: string): Readonly<Record<string, unknown>> {
    const rest = [...this.#variables].filter(
      ([name]) => name.startsWith(start) && !name.startsWith(`${start}HTTP_`) && !this.#read.has(name),
    );
    for (const [name] of rest) this.#read.add(name);
    return Object.fromEntries(rest.map(([name, written]) => [name.slice(start.length).toLowerCase(), this.#valueOf(name, written)]));
  }

  #valueOf(name: string, written: string): unknown {
    try {
      return plainValue(written);
    } catch {
      this.refuse(name, 'is not JSON after "json:"');
      return null;
    }
  }

  refuse(name: string, why: string): void {
    this.#problems.push(`${this.#prefix}${name}: ${why}`);
  }

  refuseOthers(): void {
    for (const name of this.#variables.keys()) if (!this.#read.has(name)) this.refuse(name, 'means nothing to this driver');
  }
}

/** Converts names of Directus such as `IDP_metadata` and `SP_privateKey` to upper case. */
export const plainName = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();

/** A prefix states the type of a value; without one, numbers and booleans are recognised by their form. */
function plainValue(written: string): unknown {
  if (written.startsWith('string:')) return withoutPrefix(written);
  if (written.startsWith('json:')) return JSON.parse(withoutPrefix(written)) as unknown;
  if (/^(?:true|false|-?\d{1,15})$/.test(written)) return JSON.parse(written) as unknown;
  return written;
}
