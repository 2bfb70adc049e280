// "See as": the person with whose rights Studio reads. While it is set, every read carries `X-View-As`, and nothing is written, because a
// write would have the administrator's own rights. It lasts as long as the tab.

export interface ViewedAs {
  /** As the API names it: `user:<id>`, `role:<id>`, `policy:<id>` or `public`. */
  readonly target: string;
  /** What people call them. */
  readonly name: string;
}

const place = 'tain.view-as';

let current: ViewedAs | null = readStored();

function readStored(): ViewedAs | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(place) ?? 'null') as Partial<ViewedAs> | null;
    return typeof stored?.target === 'string' ? { target: stored.target, name: stored.name ?? stored.target } : null;
  } catch {
    return null;
  }
}

export const viewedAs = (): ViewedAs | null => current;

/** null: back to the administrator's own rights. The application must be loaded again afterwards. */
export function setViewedAs(next: ViewedAs | null): void {
  current = next;
  if (next === null) sessionStorage.removeItem(place);
  else sessionStorage.setItem(place, JSON.stringify(next));
}
