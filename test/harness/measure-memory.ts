// Measures the memory of a running command, and sends it files in pieces, so that the test does not hold them in memory either.

import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** Resident memory in bytes. */
export const memoryOf = ({ pid }: ChildProcess): number =>
  1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);

/** The most by which the memory of the process grew while `act` ran. */
export async function growthDuring<T>(
  process: ChildProcess,
  act: () => Promise<T>,
): Promise<{ readonly result: T; readonly growth: number }> {
  const before = memoryOf(process);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(process));
  }, 50);
  try {
    return { result: await act(), growth: most - before };
  } finally {
    clearInterval(watch);
  }
}

interface SentFile {
  readonly name: string;
  readonly type: string;
  readonly pieces: Iterable<string | Uint8Array>;
}

/** Sends a form with one file, whose pieces are created as fast as the service reads them. */
export async function sendFile(
  url: string,
  token: string,
  { name, type, pieces }: SentFile,
): Promise<{ readonly status: number; readonly text: string }> {
  const boundary = 'x----------x';
  const headers = { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}` };
  const outgoing = request(url, { method: 'POST', headers });
  const answer = new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    outgoing.once('error', reject).once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
  });
  await pipeline(function* () {
    yield `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`;
    yield* pieces;
    yield `\r\n--${boundary}--\r\n`;
  }, outgoing);
  return answer;
}
