// Where a comment is written. An @ offers people to mention, by pointer or by keyboard. What is typed is kept in the browser until it is sent.

import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { ApiError } from '../api/client.js';
import { browserKeeper } from '../draft/draft-store.js';
import { type Person, personName } from '../schema/person.js';
import { useText } from '../text/use-text.js';
import { type Draft, emptyDraft, type MentionQuery, mentionQueryAt, storedText, withPerson } from './mentions.js';
import { useFoundPeople, useTalkText } from './talk-data.js';

interface ComposerProps {
  /** Under which name the browser keeps what is typed. */
  readonly place: string;
  readonly label: string;
  readonly action: string;
  /** The text to begin with, if nothing is kept. */
  readonly initial?: Draft;
  /** Whether it has the focus from the beginning. */
  readonly isFocused?: boolean;
  readonly children?: ReactNode;
  readonly onSend: (text: string) => Promise<void>;
}

/** Whether something that was typed under this name has not been sent yet. */
export const isKept = (place: string): boolean => localStorage.getItem(place) !== null;

export const forget = (place: string): void => browserKeeper(place).write({}, {}, {});

interface KeptDraft {
  readonly draft: Draft;
  readonly change: (draft: Draft) => void;
  readonly clear: () => void;
}

function useKeptDraft(place: string, initial: Draft): KeptDraft {
  const keeper = useMemo(() => browserKeeper(place), [place]);
  const [draft, setDraft] = useState<Draft>(() => {
    const { text, people } = keeper.read().edits as Partial<Draft>;
    return typeof text === 'string' ? { text, people: people ?? {} } : initial;
  });
  const change = (next: Draft): void => {
    setDraft(next);
    keeper.write(next.text === initial.text ? {} : { ...next }, {}, {});
  };
  const clear = (): void => {
    forget(place);
    setDraft(emptyDraft);
  };
  return { draft, change, clear };
}

export function Composer({ place, label, action, initial = emptyDraft, isFocused = false, children, onSend }: ComposerProps) {
  const text = useTalkText();
  const { unreachable } = useText();
  const { draft, change, clear } = useKeptDraft(place, initial);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const send = async () => {
    if (isSending || draft.text.trim() === '') return;
    setSending(true);
    setRefusal(null);
    try {
      await onSend(storedText(draft).trim());
      clear();
    } catch (error) {
      setRefusal(error instanceof ApiError && error.status > 0 ? error.message : unreachable);
    } finally {
      setSending(false);
    }
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <MentionField label={label} draft={draft} isFocused={isFocused} isReadOnly={isSending} onChange={change} onSend={() => void send()} />
      {refusal !== null && (
        <p className="refusal" role="alert">
          {refusal}
        </p>
      )}
      <div className="composer-actions">
        <span className="hint">{text.writeHint}</span>
        {children}
        <button
          type="submit"
          className="button primary"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          disabled={isSending || draft.text.trim() === ''}
        >
          {isSending ? text.sending : action}
        </button>
      </div>
    </form>
  );
}

interface MentionFieldProps {
  readonly label: string;
  readonly draft: Draft;
  readonly isFocused: boolean;
  readonly isReadOnly: boolean;
  readonly onChange: (draft: Draft) => void;
  readonly onSend: () => void;
}

function MentionField({ label, draft, isFocused, isReadOnly, onChange, onSend }: MentionFieldProps) {
  const id = useId();
  const { field, people, place, mark, look, pick, close } = useMentions(draft, onChange);
  const chosen = people?.[place];
  useEffect(() => {
    const { current } = field;
    if (isFocused) current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, [isFocused, field]);
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const isSent = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    const act = isSent ? onSend : keyActions({ people, place, pick, mark, close })[event.key];
    if (act === undefined || event.nativeEvent.isComposing) return;
    event.preventDefault();
    // The drawer would close as well.
    event.stopPropagation();
    act();
  };
  return (
    <div className="mention-field">
      {people !== undefined && <FoundPeople id={id} people={people} place={place} onMark={mark} onPick={pick} />}
      <textarea
        ref={field}
        className="input"
        dir="auto"
        aria-label={label}
        placeholder={label}
        rows={3}
        maxLength={10_000}
        value={draft.text}
        readOnly={isReadOnly}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        {...(chosen === undefined ? {} : { 'aria-controls': `${id}-people`, 'aria-activedescendant': `${id}-${chosen.id}` })}
        onChange={({ target }) => {
          onChange({ ...draft, text: target.value });
          look(target, true);
        }}
        onSelect={({ currentTarget }) => look(currentTarget, false)}
        onBlur={close}
        onKeyDown={onKey}
      />
    </div>
  );
}

/** The mention being typed at the cursor, and what happens when a person is picked. */
function useMentions(draft: Draft, onChange: (draft: Draft) => void) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [mention, setMention] = useState<MentionQuery | null>(null);
  const [marked, mark] = useState(0);
  const people = useFoundPeople(mention?.text ?? null);
  const cursor = useRef<number | null>(null);
  // Puts the cursor behind the picked name.
  useLayoutEffect(() => {
    if (cursor.current === null) return;
    field.current?.setSelectionRange(cursor.current, cursor.current);
    cursor.current = null;
  });
  return {
    field,
    people,
    place: Math.max(0, Math.min(marked, (people?.length ?? 0) - 1)),
    mark,
    /** Typing may start a search; moving the cursor can only end it. */
    look({ value, selectionStart, selectionEnd }: HTMLTextAreaElement, isTyped: boolean) {
      if (!isTyped && mention === null) return;
      setMention(selectionStart === selectionEnd ? mentionQueryAt({ ...draft, text: value }, selectionEnd) : null);
      if (isTyped) mark(0);
    },
    pick(person: Person) {
      if (mention === null || field.current === null) return;
      const next = withPerson(draft, mention, field.current.selectionEnd, person);
      cursor.current = next.cursor;
      setMention(null);
      onChange(next.draft);
      field.current.focus();
    },
    close: () => setMention(null),
  };
}

interface FoundPeopleProps {
  readonly id: string;
  readonly people: readonly Person[];
  readonly place: number;
  readonly onMark: (place: number) => void;
  readonly onPick: (person: Person) => void;
}

function FoundPeople({ id, people, place, onMark, onPick }: FoundPeopleProps) {
  const text = useTalkText();
  return (
    <div className="popover mention-list">
      {people.length > 0 && (
        <div id={`${id}-people`} role="listbox" aria-label={text.people}>
          {people.map((person, index) => (
            <PersonOption
              key={person.id}
              id={`${id}-${person.id}`}
              person={person}
              isMarked={index === place}
              onMark={() => onMark(index)}
              onPick={() => onPick(person)}
            />
          ))}
        </div>
      )}
      <p className={people.length === 0 ? 'hint' : 'visually-hidden'} role="status">
        {people.length === 0 ? text.nobodyFound : text.found(people.length)}
      </p>
    </div>
  );
}

interface Keys extends Pick<FoundPeopleProps, 'place'> {
  readonly people: readonly Person[] | undefined;
  readonly pick: (person: Person) => void;
  readonly mark: (place: number) => void;
  readonly close: () => void;
}

function keyActions({ people, place, pick, mark, close }: Keys): Readonly<Record<string, () => void>> {
  const chosen = people?.[place];
  if (people === undefined) return {};
  if (chosen === undefined) return { Escape: close };
  const count = people.length;
  return {
    ArrowDown: () => mark((place + 1) % count),
    ArrowUp: () => mark((place + count - 1) % count),
    Enter: () => pick(chosen),
    Tab: () => pick(chosen),
    Escape: close,
  };
}

interface PersonOptionProps {
  readonly id: string;
  readonly person: Person;
  readonly isMarked: boolean;
  readonly onMark: () => void;
  readonly onPick: () => void;
}

/** The focus stays in the text field, whose `aria-activedescendant` names the marked option. */
const PersonOption = ({ id, person, isMarked, onMark, onPick }: PersonOptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys go to the text
  <div
    id={id}
    role="option"
    className="option"
    aria-selected={isMarked}
    data-focused={isMarked || undefined}
    tabIndex={-1}
    onPointerMove={onMark}
    onMouseDown={(event) => event.preventDefault()}
    onClick={onPick}
  >
    <span className="cut">{personName(person)}</span>
    {person.email && personName(person) !== person.email && <span className="hint cut">{person.email}</span>}
  </div>
);
