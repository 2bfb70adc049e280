// Tries a flow out, as it is stored: everything is undone, and what its steps got and left is shown.

import { useId, useState } from 'react';
import { request } from '../../api/client.js';
import { SideDrawer } from '../../primitives/side-drawer.js';
import { useStudio } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';
import { textOf, textsOf, useAutomationText, useFlows } from '../automation-data.js';
import type { Flow, Options } from '../flow-model.js';
import { readJson } from '../steps/json-option.js';
import type { StepResult } from './run-data.js';
import { Data, StepResults } from './step-results.js';
import { readSample, sampleFor } from './trial-sample.js';

interface Trial {
  readonly status: 'ok' | 'failed';
  readonly steps: readonly StepResult[];
  readonly result: unknown;
  readonly error: unknown;
  readonly triggered: readonly { readonly flow: string; readonly status: 'ok' | 'failed'; readonly steps: readonly StepResult[] }[];
  readonly truncated: boolean;
}

interface TrialDrawerProps {
  readonly flow: Flow;
  /** What the steps left, by their keys. */
  readonly onResults: (results: Options) => void;
  readonly onClose: () => void;
}

export function TrialDrawer({ flow, onResults, onClose }: TrialDrawerProps) {
  const text = useAutomationText();
  const { unreachable } = useText();
  const id = useId();
  const [typed, setTyped] = useState(() => JSON.stringify(sampleFor(flow), null, 2));
  const [trial, setTrial] = useState<Trial | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const isBroken = typed.trim() !== '' && readJson(typed) === undefined;
  const attempt = async (act: () => Promise<void>) => {
    setSending(true);
    setRefusal(null);
    try {
      await act();
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : unreachable);
    }
    setSending(false);
  };
  const start = () =>
    attempt(async () => {
      setTrial(null);
      const body = { trigger: typed.trim() === '' ? null : readJson(typed) };
      const { data } = await request<Trial>('POST', `/flows/${flow.id}/test`, { body });
      setTrial(data);
      onResults(Object.fromEntries(data.steps.filter(({ status }) => status === 'resolve').map(({ key, result }) => [key, result])));
    });
  return (
    <SideDrawer
      title={text.tryOut}
      isWide
      onClose={onClose}
      foot={
        <button type="button" className="button primary" disabled={isSending || isBroken} onClick={() => void start()}>
          {isSending ? text.running : text.start}
        </button>
      }
    >
      <div className="flow-form">
        <p className="hint">{text.tryHint}</p>
        <ItemPart
          flow={flow}
          isSending={isSending}
          onTake={(collection, key) => attempt(async () => setTyped(JSON.stringify(await readSample(flow, collection, key), null, 2)))}
        />
        <div>
          <label className="label" htmlFor={id}>
            {text.tryInput}
          </label>
          <textarea
            id={id}
            className="input code"
            dir="ltr"
            rows={Math.min(14, Math.max(4, typed.split('\n').length))}
            spellCheck={false}
            aria-invalid={isBroken}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        {refusal !== null && (
          <p className="banner" role="alert">
            {refusal}
          </p>
        )}
        {trial !== null && <Ended flow={flow} trial={trial} />}
      </div>
    </SideDrawer>
  );
}

interface ItemPartProps {
  readonly flow: Flow;
  readonly isSending: boolean;
  readonly onTake: (collection: string, key: string) => void;
}

/** Only what items start can be tried out with one. */
function ItemPart({ flow, isSending, onTake }: ItemPartProps) {
  const text = useAutomationText();
  const { schema } = useStudio().boot;
  const id = useId();
  const collections = textsOf(flow.options?.['collections']).filter((name) => schema.has(name));
  const [collection, setCollection] = useState(collections[0] ?? '');
  const [key, setKey] = useState('');
  if (collections.length === 0 || (flow.trigger !== 'event' && flow.trigger !== 'manual')) return null;
  return (
    <fieldset className="plain-set flow-item">
      <legend className="label">{text.tryItem}</legend>
      <select
        className="input"
        aria-label={text.options.collection}
        value={collection}
        onChange={(event) => setCollection(event.target.value)}
      >
        {collections.map((name) => (
          <option key={name} value={name}>
            {schema.get(name)?.title ?? name}
          </option>
        ))}
      </select>
      <input
        id={id}
        className="input"
        aria-label={text.itemKey}
        placeholder={text.itemKey}
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
      <button type="button" className="button" disabled={isSending || key.trim() === ''} onClick={() => onTake(collection, key.trim())}>
        {text.takeItem}
      </button>
    </fieldset>
  );
}

function Ended({ flow, trial }: { readonly flow: Flow; readonly trial: Trial }) {
  const text = useAutomationText();
  const { data } = useFlows();
  const nameOf = (id: string): string => textOf(data?.find((each) => each.id === id)?.name) || id;
  return (
    <section className="trial-end" aria-live="polite">
      <h3>
        <span className="run-state" data-state={trial.status}>
          {text.tryEnd[trial.status]}
        </span>
      </h3>
      {trial.truncated && <p className="hint">{text.tooLarge}</p>}
      <StepResults steps={trial.steps} known={flow.operations} />
      {trial.triggered.map((other, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a flow may be started several times
        <section key={index} aria-label={text.started(nameOf(other.flow))}>
          <h3>{text.started(nameOf(other.flow))}</h3>
          <StepResults steps={other.steps} known={[]} />
        </section>
      ))}
      {trial.result !== null && <Data title={text.result} value={trial.result} />}
    </section>
  );
}
