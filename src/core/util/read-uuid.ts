// Keys of the service's own rows, as requests name them.

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** As it is stored, in lower case; null for what is no UUID, which not every vendor compares with one. */
export function readUuid(text: string): string | null {
  const lower = text.toLowerCase();
  return uuid.test(lower) ? lower : null;
}
