// A saved view of a list, or how a person arranged it.

type Json = Readonly<Record<string, unknown>>;

/** A row of `/presets`. */
export interface Preset {
  readonly id: number;
  readonly bookmark: string | null;
  readonly user: string | null;
  readonly role: string | null;
  readonly collection: string | null;
  readonly search: string | null;
  readonly layout: string | null;
  readonly layout_query: Json | null;
  readonly layout_options: Json | null;
  readonly filter: Json | null;
}
