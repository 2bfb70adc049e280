// The name of an icon, as metadata of the peer stores it. The usual names are offered; any other name is kept.

import { plainText } from '../schema/templates.js';
import type { InterfaceProps } from './interface-props.js';

const usual = (
  'home search settings person group mail phone event schedule star favorite thumb_up check close add remove edit delete visibility lock ' +
  'info warning error help description article image photo_camera videocam music_note folder attach_file link share download upload cloud ' +
  'shopping_cart credit_card local_shipping store sell inventory place map flight hotel restaurant local_cafe work school science build code ' +
  'bar_chart trending_up dashboard list table_rows calendar_today notifications chat forum public language translate bolt eco pets'
).split(' ');

export function IconInput({ id, describedBy, field, value, isReadOnly, isRefused, onChange }: InterfaceProps) {
  return (
    <>
      <input
        id={id}
        className="input"
        list={`${id}-names`}
        autoComplete="off"
        aria-describedby={describedBy}
        aria-invalid={isRefused}
        aria-required={field.required}
        placeholder="home"
        value={plainText(value)}
        readOnly={isReadOnly}
        onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      />
      <datalist id={`${id}-names`}>
        {usual.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
