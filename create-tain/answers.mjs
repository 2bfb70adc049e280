// The three answers that a folder needs, from flags, from a terminal, or as they are usual.

import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { Refusal } from './refusal.mjs';

/**
 * @typedef {object} Answers
 * @property {string} folder
 * @property {string} database as DATABASE_URL has it
 * @property {string} email of the administrator
 * @property {string} password of the administrator
 */

/**
 * @typedef {object} Terminal
 * @property {NodeJS.ReadableStream & { isTTY?: boolean }} input
 * @property {NodeJS.WritableStream} output
 * @property {(folder: string) => void} check throws a refusal if the folder cannot be made, before anything is asked
 */

/**
 * @typedef {object} Question
 * @property {'database' | 'email' | 'password'} flag
 * @property {string} text
 * @property {boolean} hidden whether what is typed is not shown
 * @property {(given: string) => string} read the answer; throws a refusal. An empty text stands for what is usual.
 */

const usualFolder = 'my-tain';
const usualDatabase = 'sqlite:./tain.db';
const usualEmail = 'admin@example.com';

export const helpText = `npm create tain [folder] -- [flags]
  Makes a folder (${usualFolder}) in which Tain serves a database. Asks for what no flag says.

  --database ADDRESS   postgres://user:password@host/database, mysql://…, mariadb://… or sqlite:./file.db (${usualDatabase})
  --email ADDRESS      of the administrator (${usualEmail})
  --password TEXT      of the administrator (made up, and written to .env)
  --yes                ask nothing: what no flag says is as usual; without a terminal nothing is asked anyway
  --help`;

/** @type {readonly Question[]} */
const questions = [
  {
    flag: 'database',
    text: `Which database? postgres://…, mysql://…, mariadb://… or sqlite:./file.db (${usualDatabase}) `,
    hidden: false,
    read: readDatabase,
  },
  { flag: 'email', text: `E-mail address of the administrator? (${usualEmail}) `, hidden: false, read: readEmail },
  { flag: 'password', text: 'Password of the administrator? (made up) ', hidden: true, read: readPassword },
];

/**
 * null: help is wanted.
 * @param {readonly string[]} args
 * @param {Terminal} terminal
 * @returns {Promise<Answers | null>}
 */
export async function readAnswers(args, terminal) {
  const { values, positionals } = parse(args);
  if (values['help'] === true) return null;
  if (positionals.length > 1) throw new Refusal(`"${positionals[1]}" is too much; usage: npm create tain [folder]`);
  const [folder = usualFolder] = positionals;
  terminal.check(folder);
  const isAsked = values['yes'] !== true && terminal.input.isTTY === true;
  const answers = { folder, database: '', email: '', password: '' };
  for (const question of questions) {
    const given = values[question.flag];
    if (typeof given !== 'string' && isAsked) answers[question.flag] = await ask(question, terminal);
    else answers[question.flag] = question.read(typeof given === 'string' ? given : '');
  }
  return answers;
}

/** @param {readonly string[]} args */
function parse(args) {
  const text = /** @type {const} */ ({ type: 'string' });
  const flag = /** @type {const} */ ({ type: 'boolean' });
  const options = { database: text, email: text, password: text, yes: flag, help: flag };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new Refusal(`${String(error instanceof Error ? error.message : error).split(/\. |\n/)[0]}; try npm create tain -- --help`);
  }
}

/**
 * Asks again after an answer that cannot be used. The end of the input is a refusal.
 * @param {Question} question
 * @param {Terminal} terminal
 * @returns {Promise<string>}
 */
async function ask(question, terminal) {
  for (;;) {
    const given = await readLine(question, terminal);
    try {
      return question.read(given);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      terminal.output.write(`  ${error.message}\n`);
    }
  }
}

/**
 * @param {Question} question
 * @param {Terminal} terminal
 * @returns {Promise<string>}
 */
async function readLine({ text, hidden }, { input, output }) {
  // What is typed is echoed by the interface: into nothing, where it is hidden.
  const echo = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : output;
  const lines = createInterface({ input, output: echo, terminal: true });
  try {
    if (hidden) output.write(text);
    return await Promise.race([lines.question(hidden ? '' : text), interruption(lines)]);
  } finally {
    lines.close();
    if (hidden) output.write('\n');
  }
}

/**
 * @param {import('node:readline/promises').Interface} lines
 * @returns {Promise<never>}
 */
const interruption = (lines) =>
  new Promise((_resolve, reject) => {
    lines.once('close', () => reject(new Refusal('stopped; nothing was made')));
  });

const server = /^(?:postgres|postgresql|mysql|mariadb):\/\/(?:[^\s/@]*@)?[^\s/@]+\/[^\s/?]+(?:\?\S*)?$/i;
const file = /^(?:sqlite|file):(?!:memory:)\S/i;

/** @param {string} written */
function readDatabase(written) {
  const given = written.trim();
  if (given === '') return usualDatabase;
  // The address is not repeated: it may have a password in it.
  if (!server.test(given) && !file.test(given))
    throw new Refusal(
      '--database: this is no address of a database: postgres://user:password@host/database, mysql://…, mariadb://… or sqlite:./file.db',
    );
  return requireWritable('--database', given);
}

/** @param {string} written */
function readEmail(written) {
  const given = written.trim();
  if (given === '') return usualEmail;
  if (!/^[^\s@]+@[^\s@]+$/.test(given)) throw new Refusal(`--email: "${given}" is no e-mail address`);
  return requireWritable('--email', given);
}

const shortestPassword = 8;
const madeBytes = 18;

/** @param {string} given */
function readPassword(given) {
  if (given === '') return randomBytes(madeBytes).toString('base64url');
  if (given.length < shortestPassword) throw new Refusal(`--password: it needs at least ${shortestPassword} characters`);
  return requireWritable('--password', given);
}

/**
 * Programs that read .env agree on what stands between single quotation marks, and on nothing else.
 * @param {string} flag
 * @param {string} value
 */
function requireWritable(flag, value) {
  if (/['\p{Cc}]/u.test(value)) throw new Refusal(`${flag}: a file .env cannot hold a single quotation mark or a control character`);
  return value;
}
