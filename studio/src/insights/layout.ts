// Places of panels on the grid of a dashboard: columns and rows from 1 on. Panels never cover each other: one that is moved pushes those it
// meets down. Pure, imports no framework.

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Places = ReadonlyMap<string, Place>;

/** A dashboard is as wide as the screen; a wider one that the peer stored has more columns. */
export const usualColumns = 48;
export const rowHeight = 20;
const least = { width: 4, height: 3 };
const most = { y: 2000, height: 100 };

export const columnsOf = (places: Places): number => Math.max(usualColumns, ...[...places.values()].map(({ x, width }) => x + width - 1));

/** The place nearest to the wished one that is on the grid. */
export function onGrid({ x, y, width, height }: Place, columns: number): Place {
  const across = clamp(width, least.width, columns);
  return { x: clamp(x, 1, columns - across + 1), y: clamp(y, 1, most.y), width: across, height: clamp(height, least.height, most.height) };
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(Math.round(value), low), high);

/** The places after one panel was put somewhere. */
export function settle(places: Places, id: string, target: Place): Places {
  const settled = new Map<string, Place>([[id, onGrid(target, columnsOf(places))]]);
  const others = [...places].filter(([other]) => other !== id).sort(([, left], [, right]) => left.y - right.y || left.x - right.x);
  for (const [other, place] of others) {
    let lowered = place;
    for (let met = meeting(settled, lowered); met !== undefined; met = meeting(settled, lowered))
      lowered = { ...lowered, y: met.y + met.height };
    settled.set(other, lowered);
  }
  // In the order they were given.
  return new Map([...places.keys()].flatMap((each) => (settled.has(each) ? [[each, settled.get(each) as Place] as const] : [])));
}

const meeting = (settled: Places, place: Place): Place | undefined => [...settled.values()].find((each) => overlaps(each, place));

export const overlaps = (one: Place, other: Place): boolean =>
  one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;

/** The first place where a new panel fits, from the top and from the start of the line. */
export function freePlace(places: Places, size: Pick<Place, 'width' | 'height'>): Place {
  const columns = columnsOf(places);
  const all = [...places.values()];
  // A place that is free begins at the top, or where another panel ends.
  const rows = [1, ...all.map(({ y, height }) => y + height)].sort((left, right) => left - right);
  const starts = [1, ...all.map(({ x, width }) => x + width)].sort((left, right) => left - right);
  for (const y of rows)
    for (const x of starts) {
      const place = { x, y, ...size };
      if (x + size.width - 1 <= columns && !all.some((each) => overlaps(each, place))) return place;
    }
  return { x: 1, y: Math.max(1, ...rows), ...size };
}
