import { expect, it } from 'vitest';
import { formatSql } from './format-sql.js';

it('puts each clause on a line of its own, subqueries indented', () => {
  const sql = `SELECT json_object('FROM', t0."a") FROM (SELECT t0."a" FROM "articles" t0 WHERE (t0."a" = ? OR t0."b" > 1) ORDER BY t0."WHERE" LIMIT 50) t0`;
  expect(formatSql(sql).split('\n')).toEqual([
    `SELECT json_object('FROM', t0."a")`,
    'FROM (',
    '  SELECT t0."a"',
    '  FROM "articles" t0',
    '  WHERE (t0."a" = ? OR t0."b" > 1)',
    '  ORDER BY t0."WHERE"',
    '  LIMIT 50',
    ') t0',
  ]);
});

it('changes nothing but blanks', () => {
  const sql = "SELECT CONCAT('{\"id\":', t0.`id`, '}') FROM `a` t0 WHERE EXISTS (SELECT 1 FROM `b` t1 WHERE t1.`x` = t0.`id`) LIMIT 5";
  expect(formatSql(sql).replace(/\s+/g, '')).toBe(sql.replace(/\s+/g, ''));
});
