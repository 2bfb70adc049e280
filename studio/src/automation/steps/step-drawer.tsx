// One step: its title, its key, its options, and what follows. Every change is in the draft of the flow at once; what is not finished keeps the
// drawer open, so that it is not taken for stored.

import { useCallback, useMemo, useRef, useState } from 'react';
import { Icon } from '../../primitives/icon.js';
import { SideDrawer } from '../../primitives/side-drawer.js';
import { useStudio } from '../../studio-context.js';
import { useAutomationText } from '../automation-data.js';
import { type Flow, type Options, possibleNext, type Step, type Way } from '../flow-model.js';
import { Choice, TextPart } from '../parts.js';
import { ChainContext } from './chain-input.js';
import { pathsFor } from './chain-paths.js';
import { OptionInput } from './option-input.js';
import { isKnownKind, kinds } from './step-kinds.js';

interface StepDrawerProps {
  readonly flow: Flow;
  readonly step: Step;
  /** What steps left when the flow was tried out, by their keys. */
  readonly results: Options;
  /** Why the service refused the step: by the option, the field, or as a whole under an empty name. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (step: Step) => void;
  readonly onClose: () => void;
}

export function StepDrawer({ flow, step, results, problems, onChange, onClose }: StepDrawerProps) {
  const text = useAutomationText();
  const { schema } = useStudio().boot;
  const { isChecked, finish, close } = useFinished(onClose);
  const paths = useMemo(() => pathsFor(schema, flow, step.id, results), [schema, flow, step.id, results]);
  const title = isKnownKind(step.type) ? text.kinds[step.type] : step.type;
  const isTaken = flow.operations.some(({ id, key }) => id !== step.id && key === step.key);
  const keyProblem = problems['key'] ?? (isTaken ? text.keyTaken : /^[\w-]+$/.test(step.key) ? undefined : text.keyForm);
  return (
    <SideDrawer
      title={step.name || title}
      isWide
      onClose={close}
      foot={
        <button type="button" className="button primary" onClick={close}>
          {text.done}
        </button>
      }
    >
      <ChainContext value={paths}>
        <div className="flow-form">
          {problems[''] !== undefined && (
            <p className="refusal" role="alert">
              {problems['']}
            </p>
          )}
          <div className="flow-pair">
            <TextPart
              label={text.stepName}
              value={step.name ?? ''}
              placeholder={title}
              onChange={(name) => onChange({ ...step, name: name === '' ? null : name })}
            />
            <TextPart
              label={text.key}
              hint={text.keyHint}
              isCode
              problem={keyProblem}
              value={step.key}
              onChange={(key) => onChange({ ...step, key })}
            />
          </div>
          <OptionList
            step={step}
            isFilter={flow.trigger === 'event' && flow.options?.['type'] === 'filter'}
            {...{ problems, isChecked, finish, onChange }}
          />
          <div className="flow-pair">
            <NextChoice flow={flow} step={step} way="resolve" problem={problems['resolve']} onChange={onChange} />
            <NextChoice flow={flow} step={step} way="reject" problem={problems['reject']} onChange={onChange} />
          </div>
        </div>
      </ChainContext>
    </SideDrawer>
  );
}

/** Which parts are not finished; those are marked when somebody wants to close. */
function useFinished(onClose: () => void) {
  const unfinished = useRef(new Set<string>());
  const [isChecked, setChecked] = useState(false);
  const finish = useCallback((name: string, isFinished: boolean) => {
    if (isFinished) unfinished.current.delete(name);
    else unfinished.current.add(name);
  }, []);
  const close = () => (unfinished.current.size === 0 ? onClose() : setChecked(true));
  return { isChecked, finish, close };
}

interface OptionListProps extends Pick<StepDrawerProps, 'step' | 'problems' | 'onChange'> {
  /** The flow runs before a write. */
  readonly isFilter: boolean;
  readonly isChecked: boolean;
  readonly finish: (name: string, isFinished: boolean) => void;
}

function OptionList({ step, problems, isFilter, isChecked, finish, onChange }: OptionListProps) {
  const text = useAutomationText();
  const options = step.options ?? {};
  // What reports while it is drawn must not change with each drawing.
  const reports = useRef(new Map<string, (isFinished: boolean) => void>());
  const reportOf = (name: string) => {
    const known = reports.current.get(name) ?? ((isFinished: boolean) => finish(name, isFinished));
    reports.current.set(name, known);
    return known;
  };
  if (!isKnownKind(step.type))
    return (
      <>
        <p className="banner quiet">{text.unknownKind(step.type)}</p>
        <pre className="flow-json" dir="ltr">
          {JSON.stringify(step.options, null, 2)}
        </pre>
      </>
    );
  const kind = kinds[step.type];
  return (
    <>
      {isFilter && kind.isOutward === true && (
        <p className="banner notice">
          <Icon name="clock" />
          {text.notWhileWriting}
        </p>
      )}
      {kind.options
        .filter(({ when }) => when === undefined || when(options))
        .map((option) => (
          <OptionInput
            key={option.name}
            option={option}
            options={options}
            problem={problems[`options.${option.name}`]}
            isChecked={isChecked}
            onFinished={reportOf(option.name)}
            onChange={(value) => onChange({ ...step, options: withOption(options, option.name, value) })}
          />
        ))}
    </>
  );
}

function withOption(options: Options, name: string, value: unknown): Options {
  const { [name]: _, ...others } = options;
  return value === undefined ? others : { ...options, [name]: value };
}

interface NextChoiceProps extends Pick<StepDrawerProps, 'flow' | 'step' | 'onChange'> {
  readonly way: Way;
  readonly problem: string | undefined;
}

function NextChoice({ flow, step, way, problem, onChange }: NextChoiceProps) {
  const text = useAutomationText();
  const titleOf = ({ name, key }: Step): string => (name === null || name === '' ? key : `${name} (${key})`);
  return (
    <Choice
      label={way === 'resolve' ? text.onSuccess : text.onFailure}
      problem={problem}
      value={step[way] ?? ''}
      choices={possibleNext(flow, step.id).map((next) => [next.id, titleOf(next)])}
      none={way === 'resolve' ? text.end : text.failEnd}
      onChange={(next) => onChange({ ...step, [way]: next === '' ? null : next })}
    />
  );
}
