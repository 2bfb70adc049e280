// The editor of one cell, over the place where the cell is painted. What it offers follows from the field: a list of choices, an item found by
// typing, a date, or text. Enter and Tab take the value and move on, Escape leaves it as it was.

import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { MomentPicker } from '../../interfaces/moment-input.js';
import type { Choice } from '../../schema/model.js';
import { plainText } from '../../schema/templates.js';
import { isTyped } from '../../schema/typed.js';
import { type Language, useLanguage } from '../../text/use-text.js';
import { isMomentType, printMoment } from '../../values/moments.js';
import { printJson } from '../../values/read-json.js';
import { printValue, readValue } from '../../values/read-value.js';
import type { CellEditorProps, Step } from './grid-props.js';
import { stayInGrid } from './stay-in-grid.js';

const RelationEditor = lazy(async () => ({ default: (await import('./relation-editor.js')).RelationEditor }));

export function CellEditor(props: CellEditorProps) {
  const { field, refusal } = props;
  const language = useLanguage();
  const choices = field.choices ?? (field.type === 'boolean' ? booleans(language) : null);
  return (
    <>
      {field.relation?.kind === 'm2o' ? (
        <Suspense fallback={<input className="input" readOnly aria-label={field.title} />}>
          <RelationEditor {...props} />
        </Suspense>
      ) : choices !== null && field.type !== 'csv' && field.type !== 'json' ? (
        <ChoiceEditor {...props} choices={choices} />
      ) : field.type === 'text' || field.type === 'json' ? (
        <LongEditor {...props} />
      ) : (
        <LineEditor {...props} />
      )}
      {refusal !== undefined && (
        <p ref={stayInGrid} className="cell-refusal" role="alert">
          {refusal}
        </p>
      )}
    </>
  );
}

const booleans = ({ text }: Language): readonly Choice[] => [
  { value: 'true', text: text.yes },
  { value: 'false', text: text.no },
];

/** The step that a key asks for; undefined when it asks for none. */
function stepOf({ key, shiftKey }: React.KeyboardEvent): Step | undefined {
  if (key === 'Enter') return shiftKey ? 'up' : 'down';
  return key === 'Tab' ? (shiftKey ? 'previous' : 'next') : undefined;
}

function LineEditor({ field, value, typed, refusal, onCommit, onCancel }: CellEditorProps) {
  const language = useLanguage();
  const input = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  const isMoment = isMomentType(field.type);
  const shown = isMoment && !isTyped(value) ? printMoment(field.type, value, language) : printValue(field, value, language);
  useLayoutEffect(() => {
    input.current?.focus();
    if (typed === null) input.current?.select();
  }, [typed]);
  const finish = (step: Step) => {
    if (isDone.current || input.current === null) return;
    isDone.current = true;
    const { value: text } = input.current;
    // What nobody changed stays as it is, whatever of it is shown.
    if (typed === null && refusal === undefined && text === shown) return onCommit({ value, fault: null }, step);
    onCommit(readValue(field, text, language), step);
  };
  const pick = (text: string) => {
    isDone.current = true;
    onCommit(readValue(field, text, language), null);
  };
  const press = (event: React.KeyboardEvent) => {
    event.stopPropagation();
    const step = stepOf(event);
    if (event.key === 'Escape') {
      isDone.current = true;
      onCancel();
    } else if (step !== undefined) {
      event.preventDefault();
      finish(step);
    }
  };
  return (
    <div className={isMoment ? 'with-action' : undefined}>
      <input
        ref={input}
        className="input"
        aria-label={field.title}
        aria-invalid={refusal !== undefined}
        autoComplete="off"
        defaultValue={typed ?? shown}
        onKeyDown={press}
        onBlur={() => finish(null)}
      />
      {isMoment && <MomentPicker type={field.type} value={value} onPick={pick} />}
    </div>
  );
}

/** Long text and JSON: Enter takes the value, Alt+Enter begins a new line. */
function LongEditor({ field, value, typed, refusal, onCommit, onCancel }: CellEditorProps) {
  const language = useLanguage();
  const area = useRef<HTMLTextAreaElement>(null);
  const isDone = useRef(false);
  useLayoutEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(area.current.value.length, area.current.value.length);
  }, []);
  const finish = (step: Step) => {
    if (isDone.current || area.current === null) return;
    isDone.current = true;
    onCommit(readValue(field, area.current.value, language), step);
  };
  const press = (event: React.KeyboardEvent) => {
    event.stopPropagation();
    const step = stepOf(event);
    if (event.key === 'Escape') {
      isDone.current = true;
      onCancel();
    } else if (event.key === 'Enter' && event.altKey)
      area.current?.setRangeText('\n', area.current.selectionStart, area.current.selectionEnd, 'end');
    else if (step !== undefined) {
      event.preventDefault();
      finish(step);
    }
  };
  return (
    <textarea
      ref={area}
      className={`input ${field.type === 'json' ? 'code' : ''}`}
      rows={5}
      aria-label={field.title}
      aria-invalid={refusal !== undefined}
      defaultValue={typed ?? (field.type === 'json' && !isTyped(value) ? printJson(value) : printValue(field, value, language))}
      onKeyDown={press}
      onBlur={() => finish(null)}
    />
  );
}

/** Choices as a list; typing narrows it. */
function ChoiceEditor({ field, value, typed, choices, onCommit, onCancel }: CellEditorProps & { readonly choices: readonly Choice[] }) {
  const language = useLanguage();
  const [searchText, setSearchText] = useState(typed ?? (isTyped(value) ? value.text : ''));
  const input = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  const none: readonly Choice[] = field.column?.nullable === false ? [] : [{ value: '', text: language.text.none }];
  const found = [...choices, ...none].filter(({ text }) => text.toLowerCase().startsWith(searchText.toLowerCase()));
  const present = found.findIndex((choice) => choice.value === plainText(value));
  const [moved, setMoved] = useState<number | null>(null);
  const active = Math.min(moved ?? Math.max(0, searchText === '' ? present : 0), found.length - 1);
  useLayoutEffect(() => input.current?.focus(), []);
  const take = (choice: Choice | undefined, step: Step) => {
    if (isDone.current) return;
    isDone.current = true;
    if (choice !== undefined) onCommit(readValue(field, choice.value, language), step);
    // What was typed and is no choice stays in the cell, marked.
    else onCommit({ value: searchText, fault: field.type === 'boolean' ? 'boolean' : 'choose' }, step);
  };
  const cancel = () => {
    if (!isDone.current) onCancel();
    isDone.current = true;
  };
  const press = (event: React.KeyboardEvent) => {
    event.stopPropagation();
    const step = stepOf(event);
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Escape') cancel();
    else if (by !== 0) setMoved(Math.max(0, Math.min(found.length - 1, active + by)));
    else if (step !== undefined) take(found[active], step);
    if (by !== 0 || step !== undefined) event.preventDefault();
  };
  const id = `cell-choices-${field.name}`;
  return (
    <div className="choice-editor">
      <input
        ref={input}
        className="input"
        role="combobox"
        aria-label={field.title}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[active] === undefined ? undefined : `${id}-${active}`}
        autoComplete="off"
        value={searchText}
        placeholder={choices.find((choice) => choice.value === plainText(value))?.text ?? plainText(value)}
        onChange={(event) => {
          setSearchText(event.target.value);
          setMoved(null);
        }}
        onKeyDown={press}
        onBlur={() => (searchText.trim() === '' ? cancel() : take(found[active], null))}
      />
      <div role="listbox" id={id} aria-label={field.title} className="popover choice-list-box">
        {found.map((choice, index) => (
          <div
            key={choice.value}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className="option"
            data-focused={index === active || undefined}
            onPointerDown={(event) => {
              event.preventDefault();
              take(choice, null);
            }}
          >
            {choice.text}
          </div>
        ))}
      </div>
    </div>
  );
}
