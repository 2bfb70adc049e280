// What each step of a run got and left, in the order in which they ran. What failed is open.

import { Icon } from '../../primitives/icon.js';
import { useLanguage } from '../../text/use-text.js';
import { useAutomationText } from '../automation-data.js';
import type { Step } from '../flow-model.js';
import { iconOfKind, isKnownKind } from '../steps/step-kinds.js';
import type { StepResult } from './run-data.js';

interface StepResultsProps {
  readonly steps: readonly StepResult[];
  /** Of the flow as it is now. */
  readonly known: readonly Step[];
}

export function StepResults({ steps, known }: StepResultsProps) {
  const text = useAutomationText();
  return (
    <ol className="step-results" aria-label={text.steps}>
      {steps.map((result) => (
        <li key={result.operation}>
          <Result result={result} step={known.find(({ id }) => id === result.operation)} />
        </li>
      ))}
    </ol>
  );
}

function Result({ result, step }: { readonly result: StepResult; readonly step: Step | undefined }) {
  const text = useAutomationText();
  const { number } = useLanguage();
  const { key, status, options, left_out: isLeftOut, duration_ms: duration } = result;
  const states: Readonly<Record<string, string | undefined>> = text.stepStates;
  const title = step === undefined ? key : step.name || (isKnownKind(step.type) ? text.kinds[step.type] : step.type);
  return (
    <details open={status !== 'resolve'}>
      <summary>
        <span className="flow-tile" aria-hidden="true">
          <Icon name={iconOfKind(step?.type ?? '')} />
        </span>
        <strong className="cut">{title}</strong>
        <code className="hint" dir="ltr">
          {key}
        </code>
        <span className="run-state" data-state={isLeftOut === true ? 'waiting' : status === 'resolve' ? 'ok' : 'failed'}>
          {isLeftOut === true ? text.leftOut : (states[status] ?? status)}
        </span>
        {typeof duration === 'number' && <span className="hint run-time">{text.milliseconds(number.format(duration))}</span>}
      </summary>
      <div className="step-data">
        {options !== null && Object.keys(options).length > 0 && <Data title={text.gave} value={options} />}
        {isLeftOut !== true && <Data title={status === 'resolve' ? text.left : text.error} value={result.result} />}
      </div>
    </details>
  );
}

/** A value of a run as JSON. */
export const Data = ({ title, value }: { readonly title: string; readonly value: unknown }) => (
  <section aria-label={title}>
    <h3>{title}</h3>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
    <pre className="flow-json" dir="ltr" tabIndex={0}>
      {typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2)}
    </pre>
  </section>
);
