// One of the two servers that are compared: it is only ever asked by GET.

import { createHash } from 'node:crypto';

export interface Answer {
  /** 0: no answer came. */
  readonly status: number;
  /** The parsed JSON; of anything else the media type and a digest; of a failure its codes. */
  readonly body: unknown;
}

export interface Server {
  /** `caller`: whose token is sent; null: none is. */
  get(path: string, caller: string | null): Promise<Answer>;
}

const requestTimeoutMs = 30_000;

/** `tokens`: by the name of the caller. */
export function openServer(url: string, tokens: ReadonlyMap<string, string>): Server {
  const base = url.replace(/\/+$/, '');
  return {
    async get(path, caller) {
      const token = caller === null ? undefined : tokens.get(caller);
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      try {
        const answer = await fetch(base + path, { headers, redirect: 'manual', signal: AbortSignal.timeout(requestTimeoutMs) });
        return { status: answer.status, body: await readBody(answer) };
      } catch (error) {
        return { status: 0, body: String((error as Error).cause ?? error) };
      }
    },
  };
}

async function readBody(answer: Response): Promise<unknown> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
  if (bytes.length === 0) return null;
  if (type !== 'application/json') return { type, sha256: createHash('sha256').update(bytes).digest('hex') };
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return { type, text: bytes.toString('utf8', 0, 200) };
  }
}
