// Lets clients read their own writes where copies of the database answer reads. The answer to a write carries a sealed token, as a header
// and as a cookie, with the position of the commit. A read that sends it back is answered by a copy that has reached this position, or by
// the primary. Without copies none of this runs.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Seal } from '../../../core/engine/read/cursor.js';
import type { Work } from '../../../core/engine/work/work.js';
import type { Replicas } from '../../../core/vendor/replication.js';
import { type CookieOptions, readCookie, setCookie } from './cookies.js';

export const readAfterHeader = 'x-read-after';
const cookieName = 'service_read_after';

/** Sent instead of a token to read from the primary. */
export const readNow = 'now';

const about = 'read after';

type ReadPosition = Work['readAfter'];

export interface ReadAfterDeps {
  readonly replicas: Pick<Replicas, 'written' | 'reaches'>;
  readonly seal: Seal;
  readonly cookies: CookieOptions;
  /** How long a client keeps the cookie: longer than a copy that is in use may be behind. */
  readonly keepMs: number;
}

export class ReadAfter {
  readonly #deps: ReadAfterDeps;
  /** The token of the latest write, cached because many answers carry the same one. */
  #latest: { readonly text: string; readonly token: string } | null = null;

  constructor(deps: ReadAfterDeps) {
    this.#deps = deps;
  }

  /** From where the request may read: see `Work.readAfter`. */
  of(request: FastifyRequest): ReadPosition {
    if (!request.context.onlyReads) return undefined;
    const header = request.headers[readAfterHeader];
    const cookie = readCookie(request, cookieName);
    const [sent, kept] = [this.#open(header), this.#open(cookie)];
    return sent === undefined || kept === undefined ? undefined : this.#later(sent, kept);
  }

  /** Adds the token to the answer of a write. */
  add(request: FastifyRequest, reply: FastifyReply): void {
    if (request.context.onlyReads || request.method === 'OPTIONS') return;
    const token = this.#token(reply.hasHeader('idempotent-replayed'));
    if (token === null) return;
    const { cookies, keepMs } = this.#deps;
    reply.header(readAfterHeader, token);
    setCookie(request, reply, { name: cookieName, value: token, maxAgeMs: keepMs }, cookies);
  }

  /** `isReplayed`: the stored answer of an Idempotency-Key, whose write another process may have committed. */
  #token(isReplayed: boolean): string | null {
    const { replicas, seal, keepMs } = this.#deps;
    const written = replicas.written();
    if (written === null && !isReplayed) return null;
    if (written === 'unknown' || isReplayed) return seal.seal(`primary ${Date.now() + keepMs}`, about);
    const text = `position ${written}`;
    if (this.#latest?.text !== text) this.#latest = { text, token: seal.seal(text, about) };
    return this.#latest.token;
  }

  /** An invalid token leads to the primary, which is correct for every read. */
  #open(token: string | readonly string[] | undefined): ReadPosition {
    if (token === undefined) return null;
    const text = typeof token === 'string' ? this.#deps.seal.open(token, about) : null;
    const [, kind, value = ''] = /^(\w+) (.*)$/s.exec(text ?? '') ?? [];
    if (kind === 'position') return value;
    return kind === 'primary' && Number(value) < Date.now() ? null : undefined;
  }

  #later(sent: string | null, kept: string | null): ReadPosition {
    const { reaches } = this.#deps.replicas;
    if (sent === null || kept === null) return sent ?? kept;
    if (reaches(sent, kept)) return sent;
    return reaches(kept, sent) ? kept : undefined;
  }
}
