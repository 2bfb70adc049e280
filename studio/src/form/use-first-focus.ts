// Whoever opens a new item or a drawer goes on typing: the first field has the focus.

import { type RefObject, useEffect, useRef } from 'react';

const writable = 'input:not([readonly], [disabled]), textarea:not([readonly], [disabled]), select:not([disabled])';

/** The element around the form. Not on touch screens, whose keyboard would cover half of the form before it was seen. */
export function useFirstFocus(isWanted: boolean): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isWanted || matchMedia('(pointer: coarse)').matches) return;
    const inputs = [...(place.current?.querySelectorAll<HTMLElement>(writable) ?? [])];
    // A field that finds items would open its list over the form.
    inputs.find((input) => input.closest('[data-field]') !== null && input.role !== 'combobox')?.focus({ preventScroll: true });
  }, [isWanted]);
  return place;
}
