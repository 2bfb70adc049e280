// Which prepared statement a worker keeps where. The main thread decides, so a text crosses to the worker once and its number afterwards.

export interface StatementSlots {
  /** `known`: the worker has this text in the slot already. */
  find(text: string): { readonly slot: number; readonly known: boolean };
}

/** The statement used longest ago gives its slot away. */
export function createStatementSlots(size: number): StatementSlots {
  const slots = new Map<string, number>();

  function take(text: string): number {
    if (slots.size < size) return slots.size;
    const [oldest, slot] = slots.entries().next().value ?? [text, 0];
    slots.delete(oldest);
    return slot;
  }

  return {
    find(text) {
      const kept = slots.get(text);
      const slot = kept ?? take(text);
      slots.delete(text);
      slots.set(text, slot);
      return { slot, known: kept !== undefined };
    },
  };
}
