// Name, description and colour of a flow; of a new one, also what starts it.

import { useId, useState } from 'react';
import type { Item } from '../draft/item.js';
import { ColorChoice } from '../primitives/color-choice.js';
import { FormDialog } from '../primitives/form-dialog.js';
import { useAutomationText } from './automation-data.js';
import type { FlowFacts } from './flow-model.js';
import { TriggerChoice } from './trigger-drawer.js';
import { firstOptions, type TriggerKind } from './trigger-forms.js';

interface FlowDialogProps {
  /** Null: a new one. */
  readonly flow: Pick<FlowFacts, 'name' | 'description' | 'color'> | null;
  readonly onSave: (facts: Item) => Promise<void> | void;
  readonly onClose: () => void;
}

export function FlowDialog({ flow, onSave, onClose }: FlowDialogProps) {
  const text = useAutomationText();
  const id = useId();
  const [color, setColor] = useState(flow?.color ?? null);
  const [trigger, setTrigger] = useState<TriggerKind>('event');
  const save = async (form: FormData) => {
    const facts = { name: String(form.get('name')).trim(), description: String(form.get('description')).trim() || null, color };
    // It does nothing yet: whoever makes it switches it on.
    await onSave(flow === null ? { ...facts, trigger, options: firstOptions[trigger], status: 'inactive' } : facts);
  };
  return (
    <FormDialog
      title={flow === null ? text.newFlow : text.settings}
      action={flow === null ? text.create : text.done}
      onSubmit={save}
      onClose={onClose}
    >
      <div>
        <label className="label" htmlFor={`${id}-name`}>
          {text.name}
        </label>
        <input
          id={`${id}-name`}
          name="name"
          className="input"
          dir="auto"
          autoComplete="off"
          required
          maxLength={255}
          defaultValue={flow?.name ?? ''}
        />
      </div>
      <div>
        <label className="label" htmlFor={`${id}-description`}>
          {text.description}
        </label>
        <input
          id={`${id}-description`}
          name="description"
          className="input"
          dir="auto"
          autoComplete="off"
          defaultValue={flow?.description ?? ''}
        />
      </div>
      {flow === null && <TriggerChoice chosen={trigger} onChoose={setTrigger} />}
      <ColorChoice label={text.color} noColor={text.noColor} color={color} onChange={setColor} />
    </FormDialog>
  );
}
