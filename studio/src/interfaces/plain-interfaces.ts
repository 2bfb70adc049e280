// The interfaces of plain values, by the names metadata stores. `hasLabel` is false for those made of several controls: their name is a
// heading instead of a label.

import type { ComponentType } from 'react';
import { defaultInterface } from '../schema/default-interface.js';
import type { Field } from '../schema/model.js';
import { AutocompleteInput } from './autocomplete-input.js';
import { CheckboxTree } from './checkbox-tree.js';
import { CheckboxesInput, ColorInput, RadioInput, SliderInput } from './choice-inputs.js';
import { CodeInput } from './editors/code-input.js';
import { MarkdownInput } from './editors/markdown-input.js';
import { RichTextInput } from './editors/rich-text-input.js';
import { IconInput } from './icon-input.js';
import type { InterfaceProps } from './interface-props.js';
import { MapInput } from './map/map-input.js';
import { MomentInput } from './moment-input.js';
import { MultipleSelect } from './multiple-select.js';
import { BooleanInput, HashInput, MultilineInput, SelectInput, TextInput } from './plain-inputs.js';
import { TagsInput } from './tags-input.js';

export interface FoundInterface {
  readonly component: ComponentType<InterfaceProps>;
  readonly hasLabel: boolean;
}

const labelled = (component: ComponentType<InterfaceProps>): FoundInterface => ({ component, hasLabel: true });
const grouped = (component: ComponentType<InterfaceProps>): FoundInterface => ({ component, hasLabel: false });

export const plainInterfaces: Readonly<Record<string, FoundInterface>> = {
  input: labelled(TextInput),
  'input-multiline': labelled(MultilineInput),
  'input-rich-text-md': grouped(MarkdownInput),
  'input-rich-text-html': grouped(RichTextInput),
  'input-hash': labelled(HashInput),
  'input-code': grouped(CodeInput),
  'input-autocomplete-api': labelled(AutocompleteInput),
  map: grouped(MapInput),
  tags: labelled(TagsInput),
  boolean: labelled(BooleanInput),
  datetime: labelled(MomentInput),
  slider: labelled(SliderInput),
  'select-color': labelled(ColorInput),
  'select-icon': labelled(IconInput),
  'select-dropdown': labelled(SelectInput),
  'select-radio': grouped(RadioInput),
  'select-multiple-dropdown': grouped(MultipleSelect),
  'select-multiple-checkbox': grouped(CheckboxesInput),
  'select-multiple-checkbox-tree': grouped(CheckboxTree),
};

export const findPlain = (field: Field): FoundInterface =>
  plainInterfaces[field.interface ?? ''] ?? plainInterfaces[defaultInterface(field)] ?? labelled(TextInput);
