// Explains slow reads for the log. EXPLAIN adds load to a database that is already busy, so it runs for one statement at a time, and rarely
// for the same one.

import type { PlanStep } from '../core/sql/plan-step.js';
import { Lru } from '../core/util/lru.js';
import type { Dialect } from '../core/vendor/dialect.js';
import type { Statement } from '../core/vendor/driver.js';
import { explainStatement } from '../core/vendor/explain-statement.js';

/**
 * Resolves to one line per table, or to null if the database gives no plan. Returns null if the statement was explained recently or another
 * explanation is running.
 */
export type ExplainSlow = (statement: Statement) => Promise<readonly string[] | null> | null;

const againAfterMs = 600_000;
const remembered = 500;

export function explainSlow({ driver, syntax, mirrored }: Dialect, now: () => number): ExplainSlow {
  const asked = new Lru<string, number>(remembered);
  let isBusy = false;
  return (statement) => {
    const { kind, text, pending = [], queued = [] } = statement;
    if (isBusy || kind !== 'read' || pending.length > 0 || queued.length > 0) return null;
    const last = asked.get(text);
    if (last !== undefined && now() - last < againAfterMs) return null;
    asked.set(text, now());
    isBusy = true;
    const its = statement.mirrored === true && mirrored !== null ? mirrored.syntax : syntax;
    return explainStatement(driver, its, statement)
      .then((answer) => {
        const { steps, sorts } = its.readPlan(answer);
        return [...steps.map(lineOf), ...(sorts ? ['sort'] : [])];
      })
      .catch(() => null)
      .finally(() => {
        isBusy = false;
      });
  };
}

/** Names the alias of the table. The conditions of the vendor's own plan are left out, since they contain values of the request. */
const lineOf = ({ table, access, index, rows }: PlanStep): string =>
  [`${access} ${table}`, ...(index === null ? [] : [`by ${index}`]), ...(rows === null ? [] : [`(about ${rows} rows)`])].join(' ');
