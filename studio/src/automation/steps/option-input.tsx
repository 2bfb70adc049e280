// One option of a step, edited by the control that its kind names. What the control cannot show is shown as it is stored.

import { lazy, Suspense } from 'react';
import { textOf, useAutomationText, useCollections, useFlowRights, useFlows, useRoleNames } from '../automation-data.js';
import { Choice, Labelled, Switch } from '../parts.js';
import { ChainInput } from './chain-input.js';
import { ConditionOption } from './condition-option.js';
import { HeadersOption } from './headers-option.js';
import { JsonOption } from './json-option.js';
import { QueryOption } from './query-option.js';
import type { OptionName, OptionProps, StepOption } from './step-kinds.js';

const CodeEditor = lazy(async () => ({ default: (await import('../../interfaces/editors/code-editor.js')).CodeEditor }));

interface OptionInputProps extends Omit<OptionProps, 'label' | 'hint' | 'value'> {
  readonly option: StepOption;
}

export function OptionInput({ option, options, ...rest }: OptionInputProps) {
  const text = useAutomationText();
  const label = text.options[(option.label ?? option.name) as OptionName];
  const hint = option.hint === undefined ? undefined : text.optionHints[option.hint];
  const value = options[option.name];
  const props: OptionProps = { ...rest, options, label, hint, value };
  switch (option.control) {
    case 'text':
    case 'long':
    case 'secret':
      return <TextOption {...props} rows={option.control === 'long' ? 3 : undefined} />;
    case 'number':
      return <TextOption {...props} read={readNumber} />;
    case 'keys':
      return <TextOption {...props} read={readKeys} />;
    case 'json':
      return <JsonOption {...props} />;
    case 'code':
      return <CodeOption {...props} />;
    case 'choice':
      return <ChoiceOption {...props} option={option} />;
    case 'collection':
      return <CollectionOption {...props} />;
    case 'flow':
      return <FlowOption {...props} />;
    case 'rights':
      return <RightsOption {...props} />;
    case 'boolean':
      return <Switch label={label} isOn={(value ?? option.standard) === true} onChange={rest.onChange} />;
    case 'query':
      return <QueryOption {...props} />;
    case 'headers':
      return <HeadersOption {...props} />;
    case 'condition':
      return <ConditionOption {...props} />;
  }
}

interface TextOptionProps extends OptionProps {
  readonly rows?: number | undefined;
  /** What is stored of what was typed. */
  readonly read?: (text: string) => unknown;
}

function TextOption({ label, hint, problem, value, rows, read, onChange }: TextOptionProps) {
  const shown = Array.isArray(value) && value.every((each) => typeof each !== 'object') ? value.join(', ') : textOf(value);
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(id, describedBy) => (
        <ChainInput
          id={id}
          label={label}
          value={shown}
          {...(rows === undefined ? {} : { rows })}
          describedBy={describedBy}
          isRefused={problem !== undefined}
          onChange={(typed) => onChange(typed === '' ? undefined : read === undefined ? typed : read(typed))}
        />
      )}
    </Labelled>
  );
}

const readNumber = (typed: string): unknown => (/^-?\d{1,15}$/.test(typed) && String(Number(typed)) === typed ? Number(typed) : typed);

/** Several keys are a list. The blank behind the last comma is one that somebody is about to go on from. */
const readKeys = (typed: string): unknown =>
  typed.includes(',') && !typed.includes('{{') && !/,\s*$/.test(typed) ? typed.split(',').map((key) => key.trim()) : typed;

function CodeOption({ label, hint, value, onChange }: OptionProps) {
  return (
    <Labelled label={label} hint={hint}>
      {(id) => (
        <div className="editor">
          <Suspense fallback={<textarea className="input code" aria-label={label} value={textOf(value)} readOnly rows={8} />}>
            <CodeEditor
              id={id}
              label={label}
              value={textOf(value)}
              language="javascript"
              isReadOnly={false}
              hasLineNumbers
              onChange={(code) => onChange(code === '' ? undefined : code)}
            />
          </Suspense>
        </div>
      )}
    </Labelled>
  );
}

function ChoiceOption({ option, label, hint, problem, value, onChange }: OptionProps & { readonly option: StepOption }) {
  const text = useAutomationText();
  const titles: Readonly<Record<string, string | undefined>> = text.choices;
  return (
    <Choice
      {...{ label, hint, problem }}
      value={textOf(value ?? option.standard)}
      choices={(option.choices ?? []).map((each) => [each, titles[each] ?? each])}
      onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
    />
  );
}

function CollectionOption({ label, hint, problem, value, onChange }: OptionProps) {
  const text = useAutomationText();
  const collections = useCollections([textOf(value)]);
  return (
    <Choice
      {...{ label, hint, problem }}
      value={textOf(value)}
      choices={collections.map(({ name, title }) => [name, title])}
      none={text.chooseCollection}
      onChange={(name) => onChange(name === '' ? undefined : name)}
    />
  );
}

function FlowOption({ label, problem, value, onChange }: OptionProps) {
  const text = useAutomationText();
  const { data } = useFlows();
  const targets = (data ?? []).filter(({ trigger, status }) => trigger === 'operation' && status === 'active');
  return (
    <Choice
      {...{ label, problem }}
      hint={data !== undefined && targets.length === 0 ? text.noTargets : undefined}
      value={textOf(value)}
      choices={targets.map(({ id, name }) => [id, name])}
      none={text.chooseFlow}
      onChange={(id) => onChange(id === '' ? undefined : id)}
    />
  );
}

/** Rights of somebody else are for administrators to give. */
function RightsOption({ label, problem, value, onChange }: OptionProps) {
  const text = useAutomationText();
  const { isAdmin } = useFlowRights();
  const roles = useRoleNames();
  return (
    <Choice
      {...{ label, problem }}
      hint={isAdmin ? undefined : text.rightsOfAdmins}
      value={textOf(value) || '$trigger'}
      choices={[
        ['$trigger', text.rights.$trigger],
        ['$public', text.rights.$public],
        ['$full', text.rights.$full, isAdmin],
        ...roles.map(({ id, name }) => [id, text.rights.role(name), isAdmin] as const),
      ]}
      onChange={onChange}
    />
  );
}
