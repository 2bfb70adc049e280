// The recorded conversations as data: suites of steps, and what each expects.

import { readdirSync, readFileSync } from 'node:fs';

export interface Step {
  readonly name?: string;
  readonly method?: string;
  readonly path: string;
  /** `admin` (default), `public`, or `{{variable}}` holding a token. */
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly expect?: { readonly status?: number | readonly number[]; readonly body?: unknown; readonly headers?: unknown };
  readonly save?: Readonly<Record<string, string>>;
  /** A setup step without which the suite makes no sense. */
  readonly must?: boolean;
  /** False: it prepares what follows and is not judged. */
  readonly judge?: boolean;
  /** Asked again every so many milliseconds until the answer is the wanted one: for what follows an answer in the background. */
  readonly retry?: { readonly for: number; readonly every: number };
}

/** A pause in milliseconds, not judged. */
export interface Pause {
  readonly wait: number;
}

export const isPause = (step: Step | Pause): step is Pause => 'wait' in step;

export interface Suite {
  readonly file: string;
  readonly name: string;
  readonly setup?: readonly Step[];
  readonly steps: readonly (Step | Pause)[];
  readonly teardown?: readonly Step[];
}

export interface Dispute {
  readonly suite: string;
  readonly step: string;
  readonly why: string;
}

/** Takes away administrators on its way, so it runs last and on a service of its own. */
export const aloneAndLast = 'system-zz-last-admin';

const folder = new URL('suites/', import.meta.url);

export const allSuites: readonly Suite[] = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => ({ file: name.slice(0, -'.json'.length), ...JSON.parse(readFileSync(new URL(name, folder), 'utf8')) }));

/** A step that is judged, and what has to be played before it. */
export interface JudgedStep {
  readonly step: Step;
  readonly before: readonly (Step | Pause)[];
}

export function judgedSteps({ steps }: Suite): readonly JudgedStep[] {
  const judged: JudgedStep[] = [];
  let before: (Step | Pause)[] = [];
  for (const step of steps) {
    if (isPause(step) || step.judge === false) before.push(step);
    else {
      judged.push({ step, before });
      before = [];
    }
  }
  return judged;
}

/** All of them; CONFORMANCE=items plays only those whose file begins so. */
export function suitesToPlay(): readonly Suite[] {
  const wanted = process.env['CONFORMANCE'] ?? '';
  return allSuites.filter(({ file }) => file.startsWith(wanted));
}

/** Steps we hold to be wrong: played, and required to still fail. */
export const disputes: readonly Dispute[] = JSON.parse(readFileSync(new URL('disputed.json', import.meta.url), 'utf8'));
