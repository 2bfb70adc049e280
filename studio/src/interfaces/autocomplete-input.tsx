// A text with suggestions from an address that the options of the field name. The content policy of Studio allows addresses of the service
// itself only; for others the field is a plain text.

import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { serviceUrl } from '../api/service-url.js';
import { plainText } from '../schema/templates.js';
import { useText } from '../text/use-text.js';
import type { InterfaceProps } from './interface-props.js';

export function AutocompleteInput(props: InterfaceProps) {
  const text = useText();
  const { id, describedBy, field, value, isReadOnly, isRefused, onChange } = props;
  const typed = useDeferredValue(plainText(value));
  const address = addressOf(plainText(field.options['url']), typed);
  const { data = [] } = useQuery({
    queryKey: ['suggestions', address?.href],
    queryFn: ({ signal }) => readSuggestions(address, field.options, signal),
    enabled: address !== null && typed !== '' && !isReadOnly,
    placeholderData: (previous) => previous,
  });
  return (
    <>
      <input
        id={id}
        className="input"
        aria-describedby={describedBy}
        aria-invalid={isRefused}
        aria-required={field.required}
        autoComplete="off"
        list={`${id}-suggestions`}
        placeholder={plainText(field.options['placeholder'])}
        value={plainText(value)}
        readOnly={isReadOnly}
        onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      />
      <datalist id={`${id}-suggestions`}>
        {data.map((suggestion) => (
          <option key={suggestion.value} value={suggestion.value}>
            {suggestion.text}
          </option>
        ))}
      </datalist>
      {address === null && plainText(field.options['url']) !== '' && <p className="hint">{text.foreignSuggestions}</p>}
    </>
  );
}

/** Null for addresses of other services. */
function addressOf(template: string, typed: string): URL | null {
  const filled = template.replaceAll(/{{\s*value\s*}}/g, encodeURIComponent(typed));
  const url = filled.startsWith('/') ? serviceUrl(filled) : URL.canParse(filled) ? new URL(filled) : null;
  return url !== null && url.origin === location.origin ? url : null;
}

interface Suggestion {
  readonly value: string;
  readonly text: string;
}

async function readSuggestions(
  url: URL | null,
  options: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<readonly Suggestion[]> {
  if (url === null) return [];
  const response = await fetch(url, { signal, credentials: 'same-origin' });
  if (!response.ok) return [];
  const found = valueAt(await response.json(), plainText(options['resultsPath']));
  return (Array.isArray(found) ? found : []).slice(0, 50).map((each: unknown) => {
    const value = plainText(valueAt(each, plainText(options['valuePath'])));
    return { value, text: plainText(valueAt(each, plainText(options['textPath']))) || value };
  });
}

/** The value at a path of names with dots; an empty path is the value itself. */
function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .filter((name) => name !== '')
    .reduce(
      (inner: unknown, name) => (typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined),
      value,
    );
}
