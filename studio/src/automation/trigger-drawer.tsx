// What starts a flow, with a form for each way. Every change is in the draft of the flow at once.

import { useRef } from 'react';
import { serviceUrl } from '../api/service-url.js';
import { Icon } from '../primitives/icon.js';
import { SideDrawer } from '../primitives/side-drawer.js';
import { textOf, textsOf, useAutomationText } from './automation-data.js';
import type { Flow, Options } from './flow-model.js';
import { ManualForm } from './manual/manual-form.js';
import { Checks, Choice, Labelled, Switch, TextPart } from './parts.js';
import { firstOptions, iconOfTrigger, isTriggerKind, type TriggerKind, triggerKinds } from './trigger-forms.js';
import { CollectionChecks, ErrorPart } from './trigger-parts.js';
import type { Problems } from './use-flow-draft.js';

interface TriggerDrawerProps {
  readonly flow: Flow;
  readonly problems: Problems;
  readonly onChange: (flow: Flow) => void;
  readonly onClose: () => void;
}

export function TriggerDrawer({ flow, problems, onChange, onClose }: TriggerDrawerProps) {
  const text = useAutomationText();
  const { trigger } = flow;
  // Whoever looks at another way finds their options again.
  const left = useRef(new Map<string | null, Options | null>());
  const choose = (next: TriggerKind) => {
    left.current.set(trigger, flow.options);
    onChange({ ...flow, trigger: next, options: left.current.get(next) ?? firstOptions[next] });
  };
  const set = (part: Options) => onChange({ ...flow, options: without({ ...flow.options, ...part }) });
  return (
    <SideDrawer
      title={text.editTrigger}
      isWide
      onClose={onClose}
      foot={
        <button type="button" className="button primary" onClick={onClose}>
          {text.done}
        </button>
      }
    >
      <div className="flow-form">
        <TriggerChoice chosen={trigger} onChoose={choose} />
        {isTriggerKind(trigger) && (
          <TriggerForm key={trigger} kind={trigger} id={flow.id} options={flow.options ?? {}} problems={problems} onChange={set} />
        )}
        <Choice
          label={text.keptInLog}
          value={flow.accountability ?? 'none'}
          choices={[
            ['all', text.kept.all],
            ['activity', text.kept.activity],
            ['none', text.kept.none],
          ]}
          onChange={(kept) => onChange({ ...flow, accountability: kept === 'none' ? null : kept })}
        />
      </div>
    </SideDrawer>
  );
}

export function TriggerChoice({ chosen, onChoose }: { readonly chosen: string | null; readonly onChoose: (kind: TriggerKind) => void }) {
  const text = useAutomationText();
  return (
    <fieldset className="plain-set">
      <legend className="label">{text.trigger}</legend>
      <div className="flow-triggers">
        {triggerKinds.map((kind) => (
          <label key={kind} className="flow-trigger">
            <input type="radio" name="trigger" checked={chosen === kind} onChange={() => onChoose(kind)} />
            <Icon name={iconOfTrigger(kind)} />
            <span>
              <strong>{text.triggers[kind]}</strong>
              <span className="hint">{text.triggerHints[kind]}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const without = (options: Options): Options => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

interface TriggerFormProps {
  readonly kind: TriggerKind;
  readonly id: string;
  readonly options: Options;
  readonly problems: Problems;
  readonly onChange: (part: Options) => void;
}

function TriggerForm({ kind, ...props }: TriggerFormProps) {
  switch (kind) {
    case 'event':
      return <EventForm {...props} />;
    case 'webhook':
      return <WebhookForm {...props} />;
    case 'schedule':
      return <ScheduleForm {...props} />;
    case 'operation':
      return <AnswerPart {...props} standard="" />;
    case 'manual':
      return <ManualForm {...props} />;
  }
}

type FormProps = Omit<TriggerFormProps, 'kind'>;

function EventForm({ options, onChange }: FormProps) {
  const text = useAutomationText();
  const moment = options['type'] === 'filter' ? 'filter' : 'action';
  return (
    <>
      <CollectionChecks options={options} onChange={onChange} />
      <Checks
        legend={text.events}
        choices={Object.entries(text.eventNames)}
        chosen={textsOf(options['scope'])}
        onChange={(scope) => onChange({ scope })}
      />
      <Choice
        label={text.moment}
        hint={text.momentHints[moment]}
        value={moment}
        choices={[
          ['action', text.moments.action],
          ['filter', text.moments.filter],
        ]}
        onChange={(type) => onChange({ type })}
      />
      {moment === 'filter' ? (
        <TextPart
          label={text.replaces}
          hint={text.replacesHint}
          isCode
          value={textOf(options['return'])}
          onChange={(value) => onChange({ return: value === '' ? undefined : value })}
        />
      ) : (
        <RetryPart options={options} onChange={onChange} />
      )}
    </>
  );
}

const RetryPart = ({ options, onChange }: Pick<FormProps, 'options' | 'onChange'>) => (
  <Switch
    label={useAutomationText().retry}
    isOn={options['retry'] === true}
    onChange={(isOn) => onChange({ retry: isOn ? true : undefined })}
  />
);

function WebhookForm({ id, options, onChange }: FormProps) {
  const text = useAutomationText();
  const method = textOf(options['method']) || 'GET';
  const isAsync = options['async'] === true;
  return (
    <>
      <Choice
        label={text.method}
        value={method}
        choices={[
          ['GET', 'GET'],
          ['POST', 'POST'],
        ]}
        onChange={(next) => onChange({ method: next })}
      />
      <Labelled label={text.address} hint={text.addressHint}>
        {(inputId, describedBy) => (
          <input
            id={inputId}
            className="input code"
            dir="ltr"
            readOnly
            value={serviceUrl(`/flows/trigger/${id}`).href}
            aria-describedby={describedBy}
            onFocus={(event) => event.target.select()}
          />
        )}
      </Labelled>
      <Switch label={text.async} isOn={isAsync} onChange={(isOn) => onChange({ async: isOn ? true : undefined })} />
      {!isAsync && <AnswerPart options={options} onChange={onChange} standard="$last" />}
      {!isAsync && <ErrorPart options={options} onChange={onChange} />}
    </>
  );
}

/** `standard`: what the service answers where nothing is said. */
function AnswerPart({ options, standard, onChange }: Pick<FormProps, 'options' | 'onChange'> & { readonly standard: string }) {
  const text = useAutomationText();
  return (
    <TextPart
      label={text.answer}
      hint={text.answerHint}
      isCode
      value={textOf(options['return'] ?? standard)}
      onChange={(value) => onChange({ return: value })}
    />
  );
}

function ScheduleForm({ options, problems, onChange }: FormProps) {
  const text = useAutomationText();
  const cron = textOf(options['cron']);
  const zone = textOf(options['timezone']);
  return (
    <>
      <TextPart
        label={text.cron}
        hint={text.cronHint}
        isCode
        problem={problems['cron']}
        value={cron}
        onChange={(next) => onChange({ cron: next })}
      />
      <div className="flow-presets">
        {Object.entries(text.crons).map(([preset, title]) => (
          <button
            key={preset}
            type="button"
            className="button small"
            aria-pressed={cron === preset}
            onClick={() => onChange({ cron: preset })}
          >
            {title}
          </button>
        ))}
      </div>
      <Choice
        label={text.timezone}
        value={zone}
        choices={Intl.supportedValuesOf('timeZone').map((each) => [each, each])}
        none={text.serviceZone}
        onChange={(timezone) => onChange({ timezone: timezone === '' ? undefined : timezone })}
      />
      <Switch label={text.overlap} isOn={options['overlap'] === true} onChange={(isOn) => onChange({ overlap: isOn ? true : undefined })} />
      <RetryPart options={options} onChange={onChange} />
    </>
  );
}
