// Where the focus goes in a field.

const inputs = 'input, textarea, select, button, .code-editor';

/** The refused input, else the first one. The one of an editor is below a root of its own. */
export function focusInput(field: Element): void {
  const input =
    field.querySelector<HTMLElement>('[aria-invalid="true"], [data-refused="true"] .code-editor') ??
    field.querySelector<HTMLElement>(inputs);
  (input?.shadowRoot?.querySelector<HTMLElement>('[contenteditable]') ?? input)?.focus({ preventScroll: true });
}
