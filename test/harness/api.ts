// A minimal client: sends and receives JSON, with a token if there is one.

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

export function makeApi(url: string, token: string | null): Api {
  const request: Api['request'] = async (method, path, options = {}) => {
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    if (body !== undefined && options.raw === undefined) headers['content-type'] = 'application/json';
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...options.headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(90_000),
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return { status: response.status, text, body: parse(text), headers: response.headers };
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

function parse(text: string): Json {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
