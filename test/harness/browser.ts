// A browser as far as logins need one: it keeps cookies, follows redirects from site to site, and submits forms. Origins can be mapped, so
// that a service is reached by a public address it does not have here.

export interface Visited {
  readonly status: number;
  /** Where the last answer came from, as the browser knows it. */
  readonly url: URL;
  readonly text: string;
  readonly headers: Headers;
}

export class Browser {
  /** Every address that was asked for, in order. */
  readonly visited: string[] = [];
  readonly #places: ReadonlyMap<string, string>;
  readonly #cookies = new Map<string, Map<string, string>>();

  /** `places`: the real address by origin. */
  constructor(places: Readonly<Record<string, string>> = {}) {
    this.#places = new Map(Object.entries(places));
  }

  /** Sends one request and does not follow what it answers. */
  async ask(address: string | URL, { form, accept = 'text/html', from }: AskOptions = {}): Promise<Visited> {
    const url = new URL(address);
    this.visited.push(url.href);
    const real = new URL(url.pathname + url.search, this.#places.get(url.origin) ?? url.origin);
    const jar = this.#jar(url.origin);
    const isForeign = from !== undefined && from !== url.origin;
    const headers: Record<string, string> = {
      accept,
      ...(from === undefined ? {} : { origin: from, 'sec-fetch-site': isForeign ? 'cross-site' : 'same-origin' }),
      ...(isForeign ? {} : { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }),
    };
    const response = await fetch(real, {
      method: form === undefined ? 'GET' : 'POST',
      headers,
      redirect: 'manual',
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) keep(jar, line);
    return { status: response.status, url, text: await response.text(), headers: response.headers };
  }

  /** Follows redirects until there are none, or until one leads to an address that `until` begins with. */
  async follow(address: string | URL, until: string | null = null, options: AskOptions = {}): Promise<Visited> {
    let answer = await this.ask(address, options);
    for (let hops = 0; hops < 20; hops += 1) {
      const next = locationOf(answer);
      if (next === null) return answer;
      if (until !== null && next.href.startsWith(until)) return { ...answer, url: next };
      answer = await this.ask(next);
    }
    throw new Error('too many redirects');
  }

  cookie(origin: string, name: string): string | null {
    return this.#jar(origin).get(name) ?? null;
  }

  cookieNames(origin: string): readonly string[] {
    return [...this.#jar(origin).keys()].toSorted();
  }

  setCookie(origin: string, name: string, value: string): void {
    this.#jar(origin).set(name, value);
  }

  #jar(origin: string): Map<string, string> {
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    return jar;
  }
}

interface AskOptions {
  /** Sent by POST. */
  readonly form?: Readonly<Record<string, string>>;
  readonly accept?: string;
  /** The origin of the page that sends the form. From another site it comes without cookies, as they are SameSite=Lax. */
  readonly from?: string;
}

/** Where an answer leads to; null: nowhere. */
export function locationOf({ headers, url }: Pick<Visited, 'headers' | 'url'>): URL | null {
  const location = headers.get('location');
  return location === null ? null : new URL(location, url);
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const name = pair.slice(0, pair.indexOf('='));
  const isGone = attributes.some((attribute) => /^max-age=0$/i.test(attribute) || /^expires=Thu, 01 Jan 1970/i.test(attribute));
  if (isGone) jar.delete(name);
  else jar.set(name, pair.slice(pair.indexOf('=') + 1));
}
