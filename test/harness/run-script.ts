// Runs an SQL script statement by statement. Statements end in `;` at the end of a line.

import { readFile } from 'node:fs/promises';
import type { Connection } from '../../src/core/vendor/driver.js';

export async function runScript(connection: Connection, script: string): Promise<void> {
  const text = script.replace(/^--.*$/gm, '');
  for (const statement of text.split(/;[ \t]*(?:\r?\n|$)/)) {
    if (statement.trim() !== '') await connection.run({ kind: 'write', text: statement.trim(), values: [] });
  }
}

export const readFixture = (name: string): Promise<string> => readFile(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');
