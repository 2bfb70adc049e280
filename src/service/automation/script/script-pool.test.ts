import { afterAll, describe, expect, it } from 'vitest';
import { openScriptPool } from './script-pool.js';

describe('script processes', () => {
  const pool = openScriptPool();
  afterAll(() => pool.close());
  const run = (code: string, timeoutMs = 2_000) => pool.run({ code: `module.exports = ${code}`, data: '{"n":1}', timeoutMs });

  it('run scripts one after the other, and several at once', async () => {
    const results = await Promise.all(Array.from({ length: 6 }, (_, index) => run(`(data) => data.n + ${index}`)));
    expect(results.map((result) => result.kind === 'returned' && result.json)).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  it('are killed where the engine cannot stop a script, and others are started', async () => {
    const began = performance.now();
    const result = await run("() => new Array(1e9) + ''", 300);
    expect(result).toEqual({ kind: 'failed', reason: 'The script takes longer than 0.3 s.', said: [] });
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(await run('() => 5')).toEqual({ kind: 'returned', json: '5', said: [] });
  });

  it('take only so much', async () => {
    await expect(pool.run({ code: 'x'.repeat(1_000_001), data: '{}', timeoutMs: 100 })).rejects.toThrow('may have');
  });
});
