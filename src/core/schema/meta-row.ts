// Reads metadata rows, whose values come from the database and may have any type.

export type MetaRow = Readonly<Record<string, unknown>>;

export function textOf(row: MetaRow | null | undefined, key: string): string | null {
  const value = row?.[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

export const numberOf = (row: MetaRow | null | undefined, key: string): number | null => {
  const value = row?.[key];
  return typeof value === 'number' ? value : null;
};

/** A list stored as an array or as comma-separated text. */
export function listOf(row: MetaRow | null | undefined, key: string): readonly string[] {
  const value = row?.[key];
  const entries = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value.map(String) : [];
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}
