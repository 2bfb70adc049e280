// What came out of trying a provider: in one line, then what was found, with the service's own words for those who need them.

import { Icon } from '../primitives/icon.js';
import { type Trial, useSignOnText } from './sign-on-data.js';

const marks = { good: 'check', doubtful: 'eye', bad: 'close' } as const;

export function TrialResult({ trial }: { readonly trial: Trial }) {
  const own = useSignOnText();
  return (
    <div className="trial" data-works={trial.works} role="status">
      <strong>{trial.works ? own.works : own.worksNot}</strong>
      <ul>
        {trial.findings.map(({ code, level, message }) => (
          <li key={code} data-level={level}>
            <Icon name={marks[level]} />
            <div>
              {own.findings[code]}
              <p className="hint trial-words">{message}</p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
