// Where the boxes of a diagram go. What is connected is laid out by layers; the parts, and boxes without relations, are packed side by side, so that
// hundreds of them make a page and not a line. Pure; runs in a worker.

import { Graph as Layered, layout as layOut } from '@dagrejs/dagre';

export interface Sized {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

export interface Link {
  readonly from: string;
  readonly to: string;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  /** The upper left corner of each box. */
  readonly places: ReadonlyMap<string, Place>;
  readonly width: number;
  readonly height: number;
}

const gap = 40;
/** Wider than high, like a screen. */
const proportion = 1.6;

export function layoutBoxes(boxes: readonly Sized[], links: readonly Link[]): Layout {
  const parts = partsOf(boxes, links).map((part) => layoutPart(part, links));
  return pack(parts);
}

/** The connected parts, the largest first. */
function partsOf(boxes: readonly Sized[], links: readonly Link[]): readonly (readonly Sized[])[] {
  const leader = new Map(boxes.map(({ id }) => [id, id]));
  const find = (id: string): string => {
    let at = id;
    for (let next = leader.get(at) ?? at; next !== at; next = leader.get(at) ?? at) at = next;
    leader.set(id, at);
    return at;
  };
  for (const { from, to } of links) if (leader.has(from) && leader.has(to)) leader.set(find(from), find(to));
  const parts = new Map<string, Sized[]>();
  for (const box of boxes) {
    const part = parts.get(find(box.id));
    if (part === undefined) parts.set(find(box.id), [box]);
    else part.push(box);
  }
  return [...parts.values()].toSorted((left, right) => right.length - left.length);
}

function layoutPart(boxes: readonly Sized[], links: readonly Link[]): Layout {
  const [first] = boxes;
  if (first !== undefined && boxes.length === 1)
    return { places: new Map([[first.id, { x: 0, y: 0 }]]), width: first.width, height: first.height };
  const graph = new Layered();
  graph.setGraph({ rankdir: 'LR', nodesep: gap / 2, ranksep: gap * 2 });
  graph.setDefaultEdgeLabel(() => ({}));
  const ids = new Set(boxes.map(({ id }) => id));
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
  for (const { from, to } of links) if (from !== to && ids.has(from) && ids.has(to)) graph.setEdge(from, to);
  layOut(graph);
  return enclose(
    wrapLayers(
      boxes.map((box) => {
        const { x = 0, y = 0 } = graph.node(box.id) as Partial<Place>;
        return { ...box, x: x - box.width / 2, y: y - box.height / 2 };
      }),
    ),
  );
}

interface Placed extends Sized, Place {}

function enclose(boxes: readonly Placed[]): Layout {
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  return {
    places: new Map(boxes.map(({ id, x, y }) => [id, { x: x - left, y: y - top }])),
    width: Math.max(...boxes.map(({ x, width }) => x + width)) - left,
    height: Math.max(...boxes.map(({ y, height }) => y + height)) - top,
  };
}

/** Wraps a layer into several columns if it would be much higher than wide, as with a table that a hundred others refer to. */
function wrapLayers(boxes: readonly Placed[]): readonly Placed[] {
  const area = boxes.reduce((sum, { width, height }) => sum + (width + gap * 2) * (height + gap / 2), 0);
  const most = Math.max(leastFolded, Math.sqrt(area));
  const { height } = enclose(boxes);
  if (height <= most * 1.5) return boxes;
  const layers = new Map<number, Placed[]>();
  for (const box of boxes.toSorted((one, other) => one.y - other.y)) {
    const middle = Math.round(box.x + box.width / 2);
    layers.set(middle, [...(layers.get(middle) ?? []), box]);
  }
  let x = 0;
  return [...layers]
    .toSorted(([left], [right]) => left - right)
    .flatMap(([, layer]) => {
      const columns = foldLayer(layer, most);
      const placed = columns.flatMap((column) => {
        const total = column.reduce((sum, box) => sum + box.height + gap / 2, -gap / 2);
        let y = -total / 2;
        const stacked = column.map((box) => {
          const at = { ...box, x, y };
          y += box.height + gap / 2;
          return at;
        });
        x += Math.max(...column.map(({ width }) => width)) + gap;
        return stacked;
      });
      x += gap;
      return placed;
    });
}

const leastFolded = 900;

function foldLayer(layer: readonly Placed[], most: number): readonly (readonly Placed[])[] {
  const columns: Placed[][] = [[]];
  let total = 0;
  for (const box of layer) {
    if (total > 0 && total + box.height > most) {
      columns.push([]);
      total = 0;
    }
    columns.at(-1)?.push(box);
    total += box.height + gap / 2;
  }
  return columns;
}

/** Places each part at the highest free position (skyline packing). */
function pack(parts: readonly Layout[]): Layout {
  const area = parts.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  const room = Math.max(Math.sqrt(area * proportion), ...parts.map(({ width }) => width));
  const places = new Map<string, Place>();
  // The skyline: the lower edge of the placed parts, from left to right.
  let edge: readonly Step[] = [{ x: 0, y: 0 }];
  let [widest, lowest] = [0, 0];
  for (const part of parts.toSorted((left, right) => right.height - left.height)) {
    const { x, y } = highest(edge, part.width, room);
    for (const [id, place] of part.places) places.set(id, { x: x + place.x, y: y + place.y });
    edge = raise(edge, x, x + part.width + gap, y + part.height + gap);
    widest = Math.max(widest, x + part.width);
    lowest = Math.max(lowest, y + part.height);
  }
  return { places, width: widest, height: lowest };
}

/** From `x` on the edge is at `y`. */
type Step = Place;

function highest(edge: readonly Step[], width: number, room: number): Place {
  const isAbove = (step: Step, next: Step | undefined, x: number): boolean =>
    step.x < x + width + gap && (next?.x ?? Number.POSITIVE_INFINITY) > x;
  const spots = edge
    .filter(({ x }) => x === 0 || x + width <= room)
    .map(({ x }) => ({ x, y: Math.max(...edge.filter((step, index) => isAbove(step, edge[index + 1], x)).map(({ y }) => y)) }));
  return spots.reduce((best, spot) => (spot.y < best.y ? spot : best), spots[0] ?? { x: 0, y: 0 });
}

function raise(edge: readonly Step[], from: number, to: number, y: number): readonly Step[] {
  const behind = edge.findLast((step) => step.x <= to)?.y ?? 0;
  const rest = edge.filter((step) => step.x < from || step.x > to);
  return [...rest, { x: from, y }, { x: to, y: behind }].toSorted((left, right) => left.x - right.x);
}
