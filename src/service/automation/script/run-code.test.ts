import { describe, expect, it } from 'vitest';
import { runCode } from './run-code.js';

const run = async (body: string, data: unknown = {}, timeoutMs = 2_000) => {
  const result = await runCode({ code: `module.exports = ${body}`, data: JSON.stringify(data), timeoutMs });
  return result.kind === 'returned' ? (result.json === null ? null : JSON.parse(result.json)) : { failed: result.reason };
};

describe('a script', () => {
  it.each([
    ['async (data) => ({ n: data.n + 1 })', { n: 1 }, { n: 2 }],
    ['(data) => data.n', { n: 3 }, 3],
    ['async () => {}', {}, null],
    ['async () => null', {}, null],
    ["async () => ({ d: new Date('2026-01-02T03:04:05Z') })", {}, { d: '2026-01-02T03:04:05.000Z' }],
    ['async (data) => { data.n = 99; return data.n }', { n: 1 }, 99],
    [
      'async () => [typeof require, typeof fetch, typeof setTimeout, typeof globalThis.say, typeof std, typeof os]',
      {},
      Array(6).fill('undefined'),
    ],
    ['async () => process.env', { $env: { A: 'b' } }, { A: 'b' }],
    ['async () => { await null; await null; return 1 }', {}, 1],
  ])('%s', async (body, data, expected) => {
    expect(await run(body, data)).toEqual(expected);
  });

  it('that returns too much fails', async () => {
    expect(await run("() => 'x'.repeat(2_000_000)", {}, 8_000)).toEqual({ failed: expect.stringMatching(/larger than/) });
  }, 20_000);

  it('says what it writes to the console', async () => {
    const code = "module.exports = () => { for (let i = 0; i < 500; i++) console.log('line', i, { a: 1 }) }";
    const { said } = await runCode({ code, data: '{}', timeoutMs: 2_000 });
    expect([said.length, said[0]]).toEqual([100, 'line 0 {"a":1}']);
  });

  it.each([
    ['that throws', 'async () => { throw new Error("bad luck") }', /bad luck/],
    ['that throws text', 'async () => { throw "bad luck" }', /bad luck/],
    ['that throws an object with a getter', 'async () => { throw { get message() { while (true); } } }', /./],
    ['that is no function', '5', /exports no function/],
    ['that cannot be parsed', 'async function( {', /SyntaxError/],
    ['that never ends', 'async () => { while (true); }', /takes longer/],
    ['that waits for nothing', 'async () => new Promise(() => {})', /never ends/],
    ['that recurses', '() => { const f = () => f() + 1; return f() }', /./],
    ['that fills the memory with one text', "() => { let s = 'x'; for (;;) s += s }", /./],
    ['that fills the memory with lists', '() => { const all = []; for (;;) all.push(new Array(1000).fill(1)) }', /./],
    ['that fills the memory with a buffer', '() => new ArrayBuffer(64_000_000).byteLength', /./],
    ['that floods promises', 'async () => { const f = () => Promise.resolve().then(f); await f() }', /takes longer|memory/],
    ['that returns what refers to itself', '() => { const a = {}; a.a = a; return a }', /circular/],
    ['with a getter in its result', '() => ({ get a() { while (true); } })', /takes longer/],
    ['with toJSON that never ends', '() => ({ toJSON() { for (;;); } })', /takes longer/],
    ['that imports', "async () => (await import('node:fs')).readFileSync('/etc/passwd')", /./],
    ['that imports what the engine brings', "async () => (await import('std')).getenviron()", /./],
  ])(
    '%s fails',
    async (_, body, reason) => {
      const result = await run(body, {}, 400);
      expect(result).toEqual({ failed: expect.stringMatching(reason) });
    },
    20_000,
  );

  it.each([
    [
      'the constructor of a function',
      "() => (function () {}).constructor('return typeof process.mainModule + typeof process.binding')()",
      'undefinedundefined',
    ],
    ['the constructor of the console', "() => console.log.constructor('return typeof require')()", 'undefined'],
    [
      'an error of the host',
      "() => { try { console.log({ toJSON() { throw new Error('x') } }) } catch (e) { return typeof e.constructor.constructor('return process')().pid } }",
      'undefined',
    ],
    ['a changed prototype', "() => { Object.prototype.polluted = 'yes'; JSON.stringify = () => '\"mine\"'; return { a: 1 } }", { a: 1 }],
    ['a replaced promise', '() => { globalThis.Promise = function () {}; return 1 }', 1],
    ['a key that names the prototype', '() => JSON.parse(\'{"__proto__":{"a":1}}\')', JSON.parse('{"__proto__":{"a":1}}')],
  ])('%s leads nowhere', async (_, body, expected) => {
    expect(await run(body)).toEqual(expected);
    expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined();
  });
});
