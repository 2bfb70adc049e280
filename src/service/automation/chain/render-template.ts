// Fills values into the options of an operation: `{{ $trigger.query.word }}`. Values are put into the leaves of a parsed template, so that a
// quote in a value cannot change its structure. Templates are paths only: what is none, such as a sum, finds nothing.

import { invalidPayload, serviceError } from '../../../core/errors/service-error.js';
import { tryParseJson } from '../../../core/util/try-parse-json.js';
import { valueAt } from './value-at.js';

/** How many characters a template may grow to: each operation can refer to the result of the one before several times. */
const maxLength = 4_000_000;

const placeholder = /\{\{([^{}]*)\}\}/g;
const onlyPlaceholder = /^\{\{([^{}]*)\}\}$/;

type Values = Readonly<Record<string, unknown>>;

/** What a placeholder becomes: its value where it is alone, else text; or text in any case. */
type Alone = 'value' | 'text';

/** A text that is one placeholder becomes the value itself; within other text a value is written as text, and a missing one as nothing. */
export const renderTemplate = (template: unknown, values: Values): unknown => new Renderer(values, 'value').walk(template);

/**
 * The same for an option that holds JSON or is a text of JSON. Within a quoted text of the latter a placeholder stays text, as its author
 * sees it; between quotes it is written as JSON.
 */
export function renderJson(option: unknown, values: Values): unknown {
  if (typeof option !== 'string') return renderTemplate(option, values);
  if (onlyPlaceholder.test(option)) {
    const value = renderTemplate(option, values);
    return typeof value === 'string' ? parsed(value) : value;
  }
  const document = tryParseJson(option);
  return document === undefined ? parsed(new Renderer(values, 'text').fillJson(option)) : new Renderer(values, 'text').walk(document);
}

function parsed(text: string): unknown {
  const value = tryParseJson(text);
  if (value === undefined) throw invalidPayload('The text is no JSON.');
  return value;
}

class Renderer {
  readonly #values: Values;
  readonly #alone: Alone;
  #length = 0;

  constructor(values: Values, alone: Alone) {
    this.#values = values;
    this.#alone = alone;
  }

  walk(value: unknown): unknown {
    if (typeof value === 'string') return this.#fill(value);
    if (Array.isArray(value)) return value.map((entry) => this.walk(entry));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.walk(entry)]));
  }

  /** Fills a text that becomes JSON only with its values. */
  fillJson(text: string): string {
    let [filled, at, quoted] = ['', 0, false];
    for (const found of text.matchAll(placeholder)) {
      const between = text.slice(at, found.index);
      quoted = endsQuoted(between, quoted);
      const value = this.#find(found[1] ?? '');
      filled += between + this.#measured(quoted ? JSON.stringify(toText(value)).slice(1, -1) : (JSON.stringify(value ?? null) ?? 'null'));
      at = found.index + found[0].length;
    }
    return filled + finished(text.slice(at));
  }

  #fill(text: string): unknown {
    const [, whole] = onlyPlaceholder.exec(text) ?? [];
    if (whole !== undefined && this.#alone === 'value') return this.#measured(this.#find(whole) ?? null);
    finished(text.replaceAll(placeholder, ''));
    return this.#measured(text.replaceAll(placeholder, (_, path: string) => this.#measured(toText(this.#find(path)))));
  }

  #find(path: string): unknown {
    const name = path.trim();
    if (name === '') throw invalidPayload('A template "{{ }}" names nothing.');
    return valueAt(this.#values, name);
  }

  #measured<T>(value: T): T {
    this.#length += typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0);
    if (this.#length > maxLength) throw serviceError('CONTENT_TOO_LARGE', 'The values that the flow puts together are too large.');
    return value;
  }
}

function finished(text: string): string {
  if (text.includes('{{')) throw invalidPayload('A template begins by "{{" and does not end.');
  return text;
}

/** Whether JSON text is inside of quotes at its end. */
function endsQuoted(text: string, quoted: boolean): boolean {
  let inside = quoted;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\' && inside) at += 1;
    else if (text[at] === '"') inside = !inside;
  }
  return inside;
}

function toText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
