// One setting of a provider in the form.

import { useId } from 'react';
import type { SettingField } from './provider-fields.js';
import { type SignOn, useSignOnText } from './sign-on-data.js';

interface SettingInputProps {
  readonly field: SettingField;
  readonly value: string | undefined;
  /** Why the service refused it. */
  readonly problem: string | undefined;
  readonly roles: SignOn['roles'];
}

export function SettingInput({ field, value, problem, roles }: SettingInputProps) {
  const own = useSignOnText();
  const id = useId();
  const { name, kind } = field;
  if (kind === 'check')
    return (
      <label className="switch check-line">
        <input type="checkbox" name={name} defaultChecked={/^(?:true|on|1|yes)$/i.test(value ?? '')} />
        {own.fields[name]}
      </label>
    );
  const problemId = `${id}-problem`;
  const common = {
    ...{ id, name, className: 'input' },
    'aria-invalid': problem !== undefined,
    ...(problem === undefined ? {} : { 'aria-describedby': problemId }),
  };
  return (
    <div>
      <label className="label" htmlFor={id}>
        {own.fields[name]}
      </label>
      <Control field={field} value={value} roles={roles} common={common} />
      {problem !== undefined && (
        <p className="refusal" id={problemId}>
          {problem === 'is required' ? own.required : problem}
        </p>
      )}
    </div>
  );
}

interface ControlProps extends Pick<SettingInputProps, 'field' | 'value' | 'roles'> {
  readonly common: { readonly id: string; readonly name: string; readonly className: string };
}

function Control({ field: { kind, isRequired = false, placeholder = '', choices = [] }, value = '', roles, common }: ControlProps) {
  const own = useSignOnText();
  switch (kind) {
    case 'secret':
      return (
        <input
          {...common}
          type="password"
          autoComplete="new-password"
          placeholder={value === '' ? placeholder : own.kept}
          spellCheck={false}
        />
      );
    case 'role':
      return (
        <select {...common} defaultValue={value}>
          <option value="">{own.noRole}</option>
          {roles.map((role) => (
            <option key={role.id} value={role.id}>
              {role.name}
            </option>
          ))}
        </select>
      );
    case 'choice':
      return (
        <select {...common} defaultValue={value}>
          <option value="">{own.byDefault}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      );
    case 'long':
      return (
        <textarea
          {...common}
          className="input code"
          rows={isRequired ? 6 : 2}
          required={isRequired}
          placeholder={placeholder}
          defaultValue={value}
          spellCheck={false}
        />
      );
    default:
      return (
        <input {...common} required={isRequired} placeholder={placeholder} defaultValue={value} autoComplete="off" spellCheck={false} />
      );
  }
}
