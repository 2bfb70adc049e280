// Asks what has to be known, makes the folder, and says what comes next. A refusal is one line and the exit code 1; nothing is left behind.

import { readFileSync } from 'node:fs';
import { helpText, readAnswers } from './answers.mjs';
import { requireFree, writeFolder } from './files.mjs';
import { Refusal } from './refusal.mjs';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/**
 * @param {readonly string[]} args
 * @returns {Promise<void>}
 */
export async function create(args) {
  try {
    const answers = await readAnswers(args, { input: process.stdin, output: process.stdout, check: requireFree });
    if (answers === null) return console.log(helpText);
    const files = writeFolder(answers, version);
    console.log(`Made ${answers.folder} with ${files.join(', ')}.`);
    console.log(`\n  cd ${quoted(answers.folder)}\n  npm install\n  npm start\n`);
    console.log(`Sign in as ${answers.email}; the password is ADMIN_PASSWORD in .env, which only you may read.`);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(`create-tain: ${error instanceof Refusal ? error.message : describeFailure(error)}`);
    process.exitCode = 1;
  }
}

/** @param {string} folder */
const quoted = (folder) => (/^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`);

/** @param {Error} error */
const describeFailure = ({ message }) => message.split('\n', 1)[0];
