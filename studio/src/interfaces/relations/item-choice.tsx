// References that are stored as json, `{ "key": …, "collection": … }`: to one item or to several of the collection that the options name.

import { useTitle } from '../../displays/use-title.js';
import { Icon } from '../../primitives/icon.js';
import type { Collection } from '../../schema/model.js';
import { plainText, type TemplatePart, templateFor } from '../../schema/templates.js';
import { useStudio } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';
import { CodeInput } from '../editors/code-input.js';
import type { InterfaceProps } from '../interface-props.js';
import { ItemPicker, keptText } from './item-picker.js';

interface StoredChoice {
  readonly key: unknown;
  readonly collection: string;
}

interface Offered {
  readonly related: Collection;
  readonly relatedKey: string;
  readonly template: readonly TemplatePart[];
}

const isChoice = (value: unknown): value is StoredChoice => typeof value === 'object' && value !== null && 'key' in value;

/** Null when the options name no collection that the caller sees. */
function useOffered({ options }: InterfaceProps['field']): Offered | null {
  const { schema } = useStudio().boot;
  const related = schema.get(plainText(options['selectedCollection']));
  if (related === undefined || related.key === null) return null;
  return { related, relatedKey: related.key, template: templateFor(related, options['template']) };
}

export function ItemChoice(props: InterfaceProps) {
  const text = useText();
  const { id, labelledBy, describedBy, field, isReadOnly, isRefused, onChange } = props;
  const { value, kept } = keptText(props, null);
  const offered = useOffered(field);
  const chosen = isChoice(value) ? value : null;
  const title = useTitle(offered?.related, offered?.relatedKey ?? 'id', offered?.template ?? [], chosen?.key ?? null);
  if (offered === null) return <CodeInput {...props} />;
  const { related, relatedKey } = offered;
  return (
    <ItemPicker
      id={id}
      label={{ 'aria-labelledby': labelledBy }}
      describedBy={describedBy}
      placeholder={text.choose}
      {...offered}
      filter={field.options['filter']}
      current={chosen === null ? '' : title || plainText(chosen.key)}
      currentKey={chosen === null ? null : plainText(chosen.key)}
      isReadOnly={isReadOnly}
      isRefused={isRefused}
      kept={kept}
      onPick={(item) => onChange({ key: item[relatedKey], collection: related.name })}
      onClear={chosen === null || isReadOnly ? undefined : () => onChange(null)}
    />
  );
}

export function ItemChoices(props: InterfaceProps) {
  const text = useText();
  const { labelledBy, describedBy, field, isReadOnly, isRefused, onChange } = props;
  const { value, kept } = keptText(props);
  const offered = useOffered(field);
  if (offered === null) return <CodeInput {...props} />;
  const { related, relatedKey } = offered;
  const chosen = Array.isArray(value) ? value.filter(isChoice) : [];
  const store = (next: readonly StoredChoice[]) => onChange(next.length === 0 ? null : next);
  return (
    <fieldset className="plain-set" aria-labelledby={labelledBy} aria-describedby={describedBy}>
      {chosen.length > 0 && (
        <ul className="related-list">
          {chosen.map((choice) => (
            <ChosenRow
              key={plainText(choice.key)}
              choice={choice}
              offered={offered}
              isReadOnly={isReadOnly}
              onRemove={() => store(chosen.filter((each) => each !== choice))}
            />
          ))}
        </ul>
      )}
      {!isReadOnly && (
        <div className="add-row">
          <ItemPicker
            key={chosen.length}
            label={{ 'aria-label': text.findItem(related.title) }}
            placeholder={text.findItem(related.title)}
            {...offered}
            filter={field.options['filter']}
            current=""
            currentKey={null}
            without={new Set(chosen.map(({ key }) => plainText(key)))}
            describedBy={describedBy}
            isRefused={isRefused}
            kept={kept}
            onPick={(item) => store([...chosen, { key: item[relatedKey], collection: related.name }])}
          />
        </div>
      )}
    </fieldset>
  );
}

interface ChosenRowProps {
  readonly choice: StoredChoice;
  readonly offered: Offered;
  readonly isReadOnly: boolean;
  readonly onRemove: () => void;
}

function ChosenRow({ choice, offered, isReadOnly, onRemove }: ChosenRowProps) {
  const text = useText();
  const title = useTitle(offered.related, offered.relatedKey, offered.template, choice.key) || plainText(choice.key);
  return (
    <li>
      <div className="list-row">
        <span className="row-title">{title}</span>
        {!isReadOnly && (
          <button type="button" className="button quiet icon-only" aria-label={text.removeRelated(title)} onClick={onRemove}>
            <Icon name="close" />
          </button>
        )}
      </div>
    </li>
  );
}
