// Plays the steps of one suite against a running service, carrying the variables that steps save for later ones.

import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, makeApi } from '../harness/api.js';
import { adminEmail, adminPassword, type TestService } from '../harness/start-service.js';
import { differ, show } from './differ.js';
import { isDrop, type ListedChange, mergeChanges, toChange } from './merge-changes.js';
import { isPause, type Pause, type Step } from './suite.js';

/** Machines that run tests are busier than the one on which the conversations were recorded. */
const patience = 3;

export class Player {
  readonly #service: TestService;
  readonly #variables: Record<string, unknown>;

  /** `echo`: the address of the server that tells what it was asked. */
  constructor(service: TestService, accessToken: string, echo: string | null = null) {
    const run = Math.random().toString(36).slice(2, 8);
    this.#service = service;
    this.#variables = { run, adminEmail, adminPassword, url: service.url, adminToken: accessToken, echo };
  }

  /** Null, or why the suite cannot be played. */
  async setUp(steps: readonly Step[]): Promise<string | null> {
    return this.#prepare(steps);
  }

  async tearDown(steps: readonly Step[]): Promise<void> {
    await this.#prepare(steps);
  }

  async #prepare(steps: readonly Step[]): Promise<string | null> {
    for (const portion of mergeChanges(steps)) {
      if (portion.kind === 'changes' && (await this.#changeAtOnce(portion.steps))) continue;
      for (const step of portion.kind === 'changes' ? portion.steps : [portion.step]) {
        const answer = await this.#call(step);
        if (step.must === true && answer.status >= 400) return `setup failed: ${nameOf(step)}: ${answer.status} ${show(answer.body)}`;
      }
    }
    return null;
  }

  /** Nothing is dropped that is not there. False: the service refused, so nothing has changed. */
  async #changeAtOnce(steps: readonly Step[]): Promise<boolean> {
    const changes = steps.flatMap((step) => (this.#fill(toChange(step)) as ListedChange | null) ?? []);
    const held = changes.some(isDrop) ? await this.#collections() : new Set<unknown>();
    const wanted = changes.filter((change) => !isDrop(change) || held.has(change.collection));
    if (wanted.length === 0) return true;
    return (await this.#call({ method: 'POST', path: '/schema/changes', body: wanted })).status < 300;
  }

  async #collections(): Promise<ReadonlySet<unknown>> {
    const { body } = await this.#call({ path: '/collections' });
    return new Set(body.data.map(({ collection }: { readonly collection: string }) => collection));
  }

  /** A step that is not judged. Null, or why the suite cannot go on. */
  async prepare(step: Step | Pause): Promise<string | null> {
    if (!isPause(step)) return this.#prepare([step]);
    await pause(step.wait);
    return null;
  }

  /** Null, or the first difference to what is expected. */
  async play(step: Step): Promise<string | null> {
    const until = Date.now() + (step.retry?.for ?? 0) * patience;
    for (;;) {
      const difference = await this.#judge(step);
      if (difference === null || Date.now() >= until) return difference;
      await pause(step.retry?.every ?? 150);
    }
  }

  async #judge(step: Step): Promise<string | null> {
    const answer = await this.#call(step);
    const expected = this.#fill(step.expect ?? {}) as NonNullable<Step['expect']>;
    const statuses = [expected.status ?? answer.status].flat();
    if (!statuses.includes(answer.status)) return `status: wanted ${statuses.join(' or ')}, got ${answer.status} ${show(answer.body)}`;
    const difference = 'body' in expected ? differ(expected.body, answer.body) : null;
    if (difference !== null || expected.headers === undefined) return difference;
    return differ({ ...(expected.headers as object), '...': true }, Object.fromEntries(answer.headers), 'headers');
  }

  async #call(step: Step): Promise<Answer> {
    const as = this.#fill(step.as ?? 'admin');
    const token = as === 'admin' ? this.#variables['adminToken'] : as === 'public' ? null : as;
    const given = this.#fill(step.headers ?? {}) as Record<string, string>;
    const hasToken = Object.keys(given).some((name) => name.toLowerCase() === 'authorization');
    const api = makeApi(this.#service.url, hasToken || token === null ? null : String(token));
    const answer = await api.request(step.method ?? 'GET', String(this.#fill(step.path)), { ...this.#body(step, given) });
    for (const [name, path] of Object.entries(step.save ?? {})) this.#variables[name] = pick(answer, path);
    return answer;
  }

  #body(step: Step, given: Readonly<Record<string, string>>): Parameters<ReturnType<typeof makeApi>['request']>[2] {
    if (step.rawBody === undefined) return step.body === undefined ? { headers: given } : { headers: given, body: this.#fill(step.body) };
    const typed = Object.keys(given).some((name) => name.toLowerCase() === 'content-type');
    return { headers: typed ? given : { ...given, 'content-type': 'application/json' }, raw: String(this.#fill(step.rawBody)) };
  }

  /** A text that is only `{{name}}` keeps the variable's type. */
  #fill(value: unknown): unknown {
    if (typeof value === 'string') {
      const whole = /^\{\{(\w+)\}\}$/.exec(value)?.[1];
      if (whole !== undefined) return this.#variables[whole];
      return value.replace(/\{\{(\w+)\}\}/g, (_match, name: string) => String(this.#variables[name]));
    }
    if (Array.isArray(value)) return value.map((entry) => this.#fill(entry));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [this.#fill(key), this.#fill(entry)]));
  }
}

export const nameOf = (step: Step): string => step.name ?? `${step.method ?? 'GET'} ${step.path}`;

function pick(answer: Answer, path: string): unknown {
  const [first, ...rest] = path.split('.');
  if (first === 'headers') return answer.headers.get(rest.join('.')) ?? undefined;
  return path
    .split('.')
    .reduce((at: unknown, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined), answer.body);
}
