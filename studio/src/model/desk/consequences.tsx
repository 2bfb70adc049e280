// What a change would do: values it touches, what it breaks, and its statements.

import { usePolicies } from '../../access/access-data.js';
import { useLanguage, useText } from '../../text/use-text.js';
import { useModelText } from '../model-base.js';
import type { Affected, Break, Preview } from './desk.js';

export function Consequences({ preview, isOpen }: { readonly preview: Preview; readonly isOpen: boolean }) {
  const text = useModelText();
  const { statements, values, breaks } = preview;
  return (
    <>
      <AffectedValues values={values} />
      {breaks.length > 0 && <Breaks breaks={breaks} />}
      {values.length === 0 && breaks.length === 0 && <p className="hint">{statements.length === 0 ? text.noSql : text.safe}</p>}
      {statements.length > 0 && (
        <details className="section statements" open={isOpen}>
          <summary>{text.sql(statements.length)}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
          <pre tabIndex={0}>{statements.join(';\n')}</pre>
        </details>
      )}
    </>
  );
}

/** Nothing when no value is touched. */
export function AffectedValues({ values }: { readonly values: readonly Affected[] }) {
  const text = useModelText();
  const { number } = useLanguage();
  const loses = values.some(({ effect }) => effect === 'deleted' || effect === 'truncated');
  if (values.length === 0) return null;
  return (
    <div className={`consequence ${loses ? 'loss' : ''}`}>
      {loses && <strong>{text.loses}</strong>}
      <ul>
        {values.map(({ collection, field, effect, count }) => (
          <li key={`${collection}.${field}.${effect}`}>
            {field === null
              ? text.effects.items(number.format(count), collection)
              : text.effects[effect](number.format(count), `${collection}.${field}`)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Breaks({ breaks }: { readonly breaks: readonly Break[] }) {
  const text = useModelText();
  const general = useText();
  const { data: policies } = usePolicies();
  const words = (each: Break): string => {
    if (each.kind === 'relation') return text.broken.relation(`${each.collection}.${each.field}`);
    if (each.kind === 'view') return text.broken.view(each.name);
    const policy = policies?.find(({ id }) => id === each.policy)?.name ?? general.loading;
    return text.broken.permission(policy, each.action, each.collection);
  };
  return (
    <div className="consequence loss">
      <strong>{text.breaks}</strong>
      <ul>
        {breaks.map((each) => (
          <li key={JSON.stringify(each)}>{words(each)}</li>
        ))}
      </ul>
    </div>
  );
}
