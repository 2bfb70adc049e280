// Random configurations, made through the API as people make them: everything that a configuration has, in values that are easily lost.

import { expect } from 'vitest';
import type { Service } from '../../src/tain.js';

const headers = { authorization: 'Bearer tain-test-admin-token' };

/** The same numbers for the same seed. */
function randomSource(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const texts = ['Ärger & Söhne', 'yes', 'null', '1e3', ' spaces ', 'line\ntwo', '日本 🗾', "it's: #1", '~', '2024-01-01', '', 'ordinary'];
const collections = ['articles', 'Authors', 'tags_2'] as const;

export class RandomConfiguration {
  readonly #service: Pick<Service, 'inject'>;
  readonly #random: () => number;

  constructor(service: Pick<Service, 'inject'>, seed: number) {
    this.#service = service;
    this.#random = randomSource(seed);
  }

  /** Once, before any change. */
  async begin(): Promise<void> {
    for (const collection of collections) {
      const key = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } };
      await this.#send('POST', '/collections', { collection, schema: {}, meta: { icon: 'box' }, fields: [key] });
    }
    await this.#send('POST', '/fields/articles', { field: 'author', type: 'integer' });
    await this.#send('POST', '/relations', {
      collection: 'articles',
      field: 'author',
      related_collection: 'Authors',
      meta: { one_field: 'articles' },
    });
  }

  async change(): Promise<void> {
    const changes = [
      this.#role,
      this.#policy,
      this.#flow,
      this.#dashboard,
      this.#preset,
      this.#translation,
      this.#settings,
      this.#field,
      this.#meta,
    ];
    for (let count = 0; count < 4; count += 1) await this.#one(changes).call(this);
  }

  async #role(): Promise<void> {
    const roles = await this.#list('roles');
    await this.#send('POST', '/roles', {
      name: this.#text(),
      description: this.#text(),
      parent: this.#random() < 0.5 ? this.#one(roles).id : null,
    });
  }

  async #policy(): Promise<void> {
    const permission = () => ({
      collection: this.#one(collections),
      action: this.#one(['read', 'update', 'delete']),
      fields: this.#one([['*'], ['id'], []]),
      permissions: this.#one([null, {}, { _and: [{ id: { _gt: 3 } }, { id: { _in: [1, 2] } }] }]),
      presets: this.#one([null, { id: 3 }]),
    });
    const roles = await this.#list('roles');
    await this.#send('POST', '/policies', {
      name: this.#text(),
      ip_access: this.#one([null, ['10.0.0.0/8', '::1']]),
      permissions: Array.from({ length: Math.floor(this.#random() * 4) }, permission),
      roles: this.#random() < 0.5 ? [{ role: this.#one(roles).id, sort: 2 }] : [],
    });
  }

  async #flow(): Promise<void> {
    const flow = await this.#send('POST', '/flows', {
      name: this.#text(),
      trigger: 'manual',
      options: { collections: ['articles'], b: 1, a: { y: null, x: 2.5 } },
    });
    const last = await this.#send('POST', '/operations', {
      flow,
      key: 'last',
      type: 'log',
      position_x: 1,
      position_y: 2,
      options: { message: this.#text() },
    });
    const first = await this.#send('POST', '/operations', { flow, key: 'first', type: 'log', position_x: 3, position_y: 4, resolve: last });
    if (this.#random() < 0.7) await this.#send('PATCH', `/flows/${flow}`, { operation: first });
  }

  async #dashboard(): Promise<void> {
    const dashboard = await this.#send('POST', '/dashboards', { name: this.#text(), note: this.#text() });
    await this.#send('POST', '/panels', {
      dashboard,
      name: this.#text(),
      type: 'label',
      position_x: 1,
      position_y: 1,
      width: 4,
      height: 5,
      options: { text: this.#text() },
    });
  }

  async #preset(): Promise<void> {
    await this.#send('POST', '/presets', {
      bookmark: this.#text(),
      collection: this.#one(collections),
      layout_query: { tabular: { page: 1, sort: ['-id'] } },
      filter: { id: { _eq: 1 } },
    });
  }

  async #translation(): Promise<void> {
    await this.#send('POST', '/translations', {
      language: this.#one(['de-DE', 'en-US', 'DE-de']),
      key: `k${Math.floor(this.#random() * 1e9)}`,
      value: this.#text(),
    });
  }

  async #settings(): Promise<void> {
    await this.#send('PATCH', '/settings', {
      project_name: this.#text() || 'x',
      custom_css: this.#text(),
      module_bar: [{ type: 'module', id: 'a', enabled: this.#random() < 0.5 }],
    });
  }

  async #field(): Promise<void> {
    const field = `f${Math.floor(this.#random() * 1e9)}`;
    const kinds = [
      { type: 'string', schema: { max_length: 40, default_value: "it's" } },
      { type: 'text', schema: {} },
      { type: 'boolean', schema: { default_value: true, is_nullable: false } },
      { type: 'decimal', schema: { numeric_precision: 20, numeric_scale: 4, default_value: '1.5' } },
      { type: 'json', schema: {} },
      { type: 'csv', schema: {} },
      { type: 'timestamp', schema: { default_value: 'now()' } },
      { type: 'uuid', schema: { is_indexed: true } },
      { type: 'bigInteger', schema: { default_value: '9007199254740993', is_unique: true } },
    ];
    const meta = {
      note: this.#text(),
      width: 'half',
      options: { b: [1, { d: 1, c: null }], a: this.#text() },
      sort: Math.floor(this.#random() * 9),
    };
    await this.#send('POST', `/fields/${this.#one(collections)}`, { field, ...this.#one(kinds), meta });
  }

  async #meta(): Promise<void> {
    await this.#send('PATCH', `/collections/${this.#one(collections)}`, {
      meta: { note: this.#text(), color: '#123456', hidden: this.#random() < 0.5 },
    });
  }

  #one<T>(list: readonly T[]): T {
    const entry = list[Math.floor(this.#random() * list.length)];
    if (entry === undefined) throw new Error('nothing to choose from');
    return entry;
  }

  #text(): string {
    return this.#one(texts);
  }

  async #list(path: string): Promise<readonly { readonly id: string }[]> {
    return (await this.#service.inject({ method: 'GET', url: `/${path}?limit=-1`, headers })).json().data;
  }

  /** Resolves to the key of what was made. */
  async #send(method: 'POST' | 'PATCH', url: string, payload: object): Promise<string> {
    const answer = await this.#service.inject({ method, url, headers, payload });
    expect(`${method} ${url} ${answer.statusCode} ${answer.statusCode === 200 ? '' : answer.body}`).toBe(`${method} ${url} 200 `);
    return answer.json().data?.id;
  }
}
