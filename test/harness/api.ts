// A minimal client: sends and receives JSON, with a token if there is one. It uses node:http with connections that stay open: `fetch` takes several
// times the processor time for each of the hundred thousand requests of a test run.

import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request as openRequest } from 'node:http';

// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape
type Json = any;

export interface Answer {
  readonly status: number;
  /** The parsed JSON; the text when it is not JSON; null without a body. */
  readonly body: Json;
  readonly text: string;
  readonly headers: Headers;
}

interface RequestOptions {
  readonly body?: unknown;
  /** Sent unchanged, in place of `body`. */
  readonly raw?: string | Uint8Array | FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Api {
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  search(path: string, body: unknown): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  delete(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  graphql(query: string, variables?: unknown, path?: '/graphql' | '/graphql/system'): Promise<Answer>;
}

/** How long the service may be silent. */
const silentMs = 90_000;
const agent = new Agent({ keepAlive: true, timeout: silentMs });

export function makeApi(url: string, token: string | null): Api {
  const own: OutgoingHttpHeaders = { accept: '*/*', 'user-agent': 'node', ...(token === null ? {} : { authorization: `Bearer ${token}` }) };
  const request: Api['request'] = async (method, path, options = {}) => {
    const { content, type } = await encode(options);
    // Node adds no length to the body of a DELETE by itself.
    const length = content === null ? {} : { 'content-length': Buffer.byteLength(content) };
    const headers = { ...own, ...length, ...(type === null ? {} : { 'content-type': type }), ...options.headers };
    return send(new URL(url + path), method, headers, content);
  };
  const bare = (body: unknown, headers?: Readonly<Record<string, string>>): RequestOptions => ({
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers }),
  });
  return {
    request,
    get: (path, headers) => request('GET', path, bare(undefined, headers)),
    search: (path, body) => request('SEARCH', path, { body }),
    post: (path, body, headers) => request('POST', path, bare(body, headers)),
    patch: (path, body, headers) => request('PATCH', path, bare(body, headers)),
    delete: (path, body, headers) => request('DELETE', path, bare(body, headers)),
    graphql: (query, variables, path = '/graphql') => request('POST', path, { body: { query, variables } }),
  };
}

interface Encoded {
  readonly content: string | Uint8Array | null;
  readonly type: string | null;
}

async function encode({ raw, body }: RequestOptions): Promise<Encoded> {
  if (raw instanceof FormData) {
    const form = new Response(raw);
    return { content: new Uint8Array(await form.arrayBuffer()), type: form.headers.get('content-type') };
  }
  if (raw !== undefined) return { content: raw, type: typeof raw === 'string' ? 'text/plain;charset=UTF-8' : null };
  return body === undefined ? { content: null, type: null } : { content: JSON.stringify(body), type: 'application/json' };
}

function send(url: URL, method: string, headers: OutgoingHttpHeaders, content: Encoded['content']): Promise<Answer> {
  const { hostname, port, pathname, search } = url;
  return new Promise((resolve, reject) => {
    const sent = openRequest({ agent, hostname, port, path: pathname + search, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(readAnswer(response, Buffer.concat(chunks).toString())));
      response.on('error', reject);
    });
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${url.href}: no answer within ${silentMs} ms`)));
    sent.on('error', reject);
    sent.end(content);
  });
}

/** The headers are made when a test looks at them: few do. */
function readAnswer({ statusCode = 0, rawHeaders }: IncomingMessage, text: string): Answer {
  return {
    status: statusCode,
    text,
    body: parse(text),
    get headers() {
      const headers = new Headers();
      for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
      return headers;
    },
  };
}

function parse(text: string): Json {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
