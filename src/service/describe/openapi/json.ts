// Parts of the description are plain JSON.

export type Json = Readonly<Record<string, unknown>>;

export const ref = (kind: 'schemas' | 'parameters' | 'responses', name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
