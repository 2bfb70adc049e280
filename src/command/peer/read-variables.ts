// Reads the settings of Directus: a file of variables, values in files of their own (`…_FILE`), and values with a type prefix (`string:`,
// `json:`).

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { CommandError } from '../command.js';

export interface PeerVariables {
  readonly values: ReadonlyMap<string, string>;
  /** Settings whose file cannot be read. */
  readonly unreadable: readonly string[];
  /** The folder that relative paths start from. */
  readonly folder: string;
}

export function readPeerVariables(path: string): PeerVariables {
  const folder = dirname(resolve(path));
  const unreadable: string[] = [];
  const entries = Object.entries(parseEnv(readText(path)))
    .filter(([, value]) => value !== undefined && value.trim() !== '')
    .flatMap(([name, value = '']): readonly (readonly [string, string])[] => {
      // The settings of providers are the same here, and name their types themselves.
      if (!name.endsWith('_FILE')) return [[name, name.startsWith('AUTH_') ? value : withoutType(value)]];
      try {
        return [[name.slice(0, -'_FILE'.length), withoutType(readFileSync(resolve(folder, value), 'utf8').trim())]];
      } catch {
        unreadable.push(name);
        return [];
      }
    });
  return { values: new Map(entries), unreadable, folder };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new CommandError(`the file ${path} of --env cannot be read`);
  }
}

const withoutType = (value: string): string => value.trim().replace(/^(?:string|number|boolean|array|regex|json):/, '');
