// A text in which `{{ path }}` stands for a value of the run, with a menu of the paths there are. What is picked goes where the cursor is.

import { createContext, use, useLayoutEffect, useRef } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { Icon } from '../../primitives/icon.js';
import { useAutomationText } from '../automation-data.js';
import type { PathGroup } from './chain-paths.js';

export const ChainContext = createContext<readonly PathGroup[]>([]);

interface ChainInputProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly rows?: number;
  readonly placeholder?: string;
  readonly isCode?: boolean;
  readonly describedBy?: string | undefined;
  readonly isRefused?: boolean;
  readonly isReadOnly?: boolean;
  /** Only the path, without braces: what is typed is a path itself. */
  readonly isPath?: boolean;
  /** No label of the page names it. */
  readonly isUnlabelled?: boolean;
  readonly onChange: (value: string) => void;
}

export function ChainInput({
  id,
  label,
  value,
  rows,
  placeholder,
  isCode = false,
  describedBy,
  isRefused = false,
  isReadOnly = false,
  isPath = false,
  isUnlabelled = false,
  onChange,
}: ChainInputProps) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const cursor = useRef<number | null>(null);
  // The field has the new value only once it is drawn.
  useLayoutEffect(() => {
    if (cursor.current === null) return;
    field.current?.setSelectionRange(cursor.current, cursor.current);
    cursor.current = null;
  });
  const insert = (path: string) => {
    if (isPath) return onChange(path);
    const { selectionStart, selectionEnd } = field.current ?? { selectionStart: value.length, selectionEnd: value.length };
    const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
    const text = `{{ ${path} }}`;
    cursor.current = from + text.length;
    onChange(value.slice(0, from) + text + value.slice(to));
  };
  const common = {
    ...{ id, ref: field, value, placeholder, readOnly: isReadOnly, spellCheck: !isCode && !isPath, autoComplete: 'off' },
    className: isCode || isPath ? 'input code' : 'input',
    dir: isCode || isPath ? ('ltr' as const) : ('auto' as const),
    'aria-invalid': isRefused,
    'aria-label': isUnlabelled ? label : undefined,
    'aria-describedby': describedBy,
    onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.target.value),
  };
  return (
    <div className="with-action">
      {rows === undefined ? <input {...common} /> : <textarea {...common} rows={rows} />}
      {!isReadOnly && <PathMenu label={label} onPick={insert} />}
    </div>
  );
}

function PathMenu({ label, onPick }: { readonly label: string; readonly onPick: (path: string) => void }) {
  const text = useAutomationText();
  const groups = use(ChainContext);
  if (groups.length === 0) return null;
  const titleOf = ({ kind, key }: PathGroup): string =>
    kind === 'step' ? text.ofStep(key) : { trigger: text.ofTrigger, last: text.ofLast, caller: text.ofCaller }[kind];
  return (
    <MenuTrigger>
      <Button className="button quiet icon-only" aria-label={text.insertInto(label)}>
        <span className="braces" aria-hidden="true" title={text.insert}>
          {'{ }'}
        </span>
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu chain-menu" onAction={(path) => onPick(String(path))}>
          {groups.map((group) => (
            <MenuSection key={`${group.kind} ${group.key}`}>
              <Header className="chain-head">{titleOf(group)}</Header>
              {group.paths.map((path) => (
                <MenuItem key={path} id={path} className="option" textValue={path}>
                  <code dir="ltr">{path}</code>
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

/** A field that is a list of single lines has no room for the menu. */
export const PlusLine = ({ label, onClick }: { readonly label: string; readonly onClick: () => void }) => (
  <button type="button" className="button quiet small" onClick={onClick}>
    <Icon name="plus" />
    {label}
  </button>
);
