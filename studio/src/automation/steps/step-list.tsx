// The steps of a flow one below the other, as they run: what happens when a step fails is indented below it. All of it works by keyboard, and on a
// phone.

import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Icon, type IconName } from '../../primitives/icon.js';
import { useStudio } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';
import { useAutomationText } from '../automation-data.js';
import type { Line, Place, Step } from '../flow-model.js';
import { iconOfKind, isKnownKind, summaryOf } from './step-kinds.js';

interface StepActions {
  readonly open: (id: string) => void;
  readonly add: (place: Place) => void;
  readonly remove: (id: string) => void;
  /** The second of two steps, and the first, change places. */
  readonly swap: (first: string, second: string) => void;
}

interface StepListProps {
  readonly line: Line;
  readonly loose: readonly Step[];
  /** Null: the person may only read them. */
  readonly actions: StepActions | null;
  /** Steps that the service refused. */
  readonly refused: ReadonlySet<string>;
}

export function StepList({ line, loose, actions, refused }: StepListProps) {
  const text = useAutomationText();
  return (
    <>
      {line.steps.length === 0 && <p className="flow-none">{text.noSteps}</p>}
      <Steps line={line} place={null} actions={actions} refused={refused} />
      {loose.length > 0 && (
        <section className="flow-loose" aria-label={text.loose}>
          <h2>{text.loose}</h2>
          <p className="hint">{text.looseHint}</p>
          <ol className="flow-steps">
            {loose.map((step) => (
              <li key={step.id}>
                <Card step={step} actions={actions} isRefused={refused.has(step.id)} />
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

interface StepsProps extends Omit<StepListProps, 'loose'> {
  /** Where a step at the start of the line is put. */
  readonly place: Place;
}

function Steps({ line: { steps, goesOn }, place, actions, refused }: StepsProps) {
  const text = useAutomationText();
  return (
    <ol className="flow-steps">
      {actions !== null && (place === null || steps.length > 0) && (
        <AddLine label={steps.length === 0 ? text.addStep : text.addFirst} isWide={steps.length === 0} onAdd={() => actions.add(place)} />
      )}
      {steps.map(({ step, failure }, index) => (
        <li key={step.id}>
          <Card
            step={step}
            actions={actions}
            isRefused={refused.has(step.id)}
            above={steps[index - 1]?.step}
            below={steps[index + 1]?.step}
          />
          {failure === null ? (
            <FailureLine step={step} actions={actions} />
          ) : (
            <div className="flow-failure">
              <p className="flow-branch">{text.whenFails}</p>
              <Steps line={failure} place={{ after: step.id, way: 'reject' }} actions={actions} refused={refused} />
            </div>
          )}
          {actions !== null && (
            <AddButton
              label={text.addAfter(step.name || step.key)}
              isWide={index === steps.length - 1 && goesOn === null}
              onAdd={() => actions.add({ after: step.id, way: 'resolve' })}
            />
          )}
        </li>
      ))}
      {goesOn !== null && <li className="flow-end">{text.goesOn(goesOn.name || goesOn.key)}</li>}
      {goesOn === null && steps.length > 0 && <li className="flow-end">{text.ends}</li>}
    </ol>
  );
}

/** What fails ends the flow, unless a step is there for that. */
function FailureLine({ step, actions }: { readonly step: Step; readonly actions: StepActions | null }) {
  const text = useAutomationText();
  if (actions === null) return null;
  return (
    <button
      type="button"
      className="button quiet small flow-add-failure"
      title={text.elseFails}
      onClick={() => actions.add({ after: step.id, way: 'reject' })}
    >
      <Icon name="branch" />
      {text.whenFails}…<span className="visually-hidden"> {text.addFailure(step.name || step.key)}</span>
    </button>
  );
}

interface AddProps {
  readonly label: string;
  /** With its text, at the end of a line. */
  readonly isWide: boolean;
  readonly onAdd: () => void;
}

const AddLine = (props: AddProps) => (
  <li className="flow-add-line">
    <AddButton {...props} />
  </li>
);

function AddButton({ label, isWide, onAdd }: AddProps) {
  const text = useAutomationText();
  return (
    <button
      type="button"
      className={isWide ? 'button flow-add wide' : 'button flow-add'}
      {...(isWide ? {} : { 'aria-label': label })}
      title={label}
      onClick={onAdd}
    >
      <Icon name="plus" />
      {isWide && text.addStep}
      {isWide && label !== text.addStep && <span className="visually-hidden"> {label}</span>}
    </button>
  );
}

interface CardProps {
  readonly step: Step;
  readonly actions: StepActions | null;
  readonly isRefused: boolean;
  /** Its neighbours on the same line. */
  readonly above?: Step | undefined;
  readonly below?: Step | undefined;
}

function Card({ step, actions, isRefused, above, below }: CardProps) {
  const text = useAutomationText();
  const operators: Readonly<Record<string, string | undefined>> = useText().operators;
  const { schema } = useStudio().boot;
  const title = isKnownKind(step.type) ? text.kinds[step.type] : step.type;
  const name = step.name || title;
  const summary = summaryOf(
    step,
    (collection) => schema.get(collection)?.title ?? collection,
    (operator) => operators[operator] ?? operator,
  );
  const content = (
    <>
      <span className="flow-tile" aria-hidden="true">
        <Icon name={iconOfKind(step.type)} />
      </span>
      <span className="flow-card-text">
        <span className="flow-card-title">
          <strong className="cut">{name}</strong>
          <code className="hint" dir="ltr">
            {step.key}
          </code>
        </span>
        {summary !== '' && (
          <span className="hint cut" dir="auto">
            {summary}
          </span>
        )}
      </span>
    </>
  );
  if (actions === null) return <div className="flow-card">{content}</div>;
  return (
    <div className="flow-card" data-refused={isRefused}>
      <button type="button" className="flow-card-open" onClick={() => actions.open(step.id)}>
        <span className="visually-hidden">{text.editStep}</span>
        {content}
      </button>
      <CardMenu step={step} name={step.name || step.key} {...{ actions, above, below }} />
    </div>
  );
}

interface CardMenuProps extends Pick<CardProps, 'step' | 'above' | 'below'> {
  readonly name: string;
  readonly actions: StepActions;
}

function CardMenu({ step, name, actions, above, below }: CardMenuProps) {
  const text = useAutomationText();
  const { more } = useText();
  const entries: readonly (readonly [title: string, icon: IconName, run: () => void])[] = [
    ...(above === undefined ? [] : [[text.moveUp(name), 'up', () => actions.swap(above.id, step.id)] as const]),
    ...(below === undefined ? [] : [[text.moveDown(name), 'down', () => actions.swap(step.id, below.id)] as const]),
    [text.removeStep(name), 'trash', () => actions.remove(step.id)],
  ];
  return (
    <MenuTrigger>
      <Button className="button quiet icon-only" aria-label={`${name}: ${more}`}>
        <Icon name="more" />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu">
          {entries.map(([title, icon, run]) => (
            <MenuItem key={title} className="option" textValue={title} onAction={run}>
              <Icon name={icon} />
              {title}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
