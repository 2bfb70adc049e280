// Parts that the forms of several ways of starting a flow have.

import { textsOf, useAutomationText, useCollections } from './automation-data.js';
import type { Options } from './flow-model.js';
import { Checks, Switch } from './parts.js';

interface OptionsProps {
  readonly options: Options;
  readonly onChange: (part: Options) => void;
}

export function CollectionChecks({ options, onChange }: OptionsProps) {
  const text = useAutomationText();
  const chosen = textsOf(options['collections']);
  const collections = useCollections(chosen);
  return (
    <Checks
      legend={text.collections}
      choices={collections.map(({ name, title }) => [name, title])}
      chosen={chosen}
      problem={chosen.length === 0 ? text.noCollections : undefined}
      onChange={(next) => onChange({ collections: next })}
    />
  );
}

export const ErrorPart = ({ options, onChange }: OptionsProps) => (
  <Switch
    label={useAutomationText().errorOnReject}
    isOn={options['error_on_reject'] === true}
    onChange={(isOn) => onChange({ error_on_reject: isOn ? true : undefined })}
  />
);
