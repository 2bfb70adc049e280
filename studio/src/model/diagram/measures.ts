// The sizes of boxes, and the lines between them. Pure.

import type { Box, Edge, Graph } from './graph.js';
import type { Place, Sized } from './layout.js';
import type { LayoutRequest } from './layout-worker.js';

export const head = 34;
export const row = 22;
const least = 150;
const most = 260;
const letter = 7.2;
/** With more boxes than these only the titles are drawn: what is in them is seen around a single one. */
const mostDetailed = 80;

export const isDetailed = ({ boxes }: Graph): boolean => boxes.length <= mostDetailed;

export function sizeOf({ id, title, rows }: Box, withRows: boolean): Sized {
  const longest = Math.max(title.length * 1.1, ...(withRows ? rows.map(({ field }) => field.length + 4) : []));
  const width = Math.min(most, Math.max(least, Math.round(longest * letter) + 48));
  return { id, width, height: head + (withRows && rows.length > 0 ? rows.length * row + 8 : 0) };
}

export const requestOf = (graph: Graph): LayoutRequest => ({
  boxes: graph.boxes.map((box) => sizeOf(box, isDetailed(graph))),
  links: graph.edges.map(({ from, to }) => ({ from, to })),
});

export interface Placed extends Sized, Place {
  readonly box: Box;
}

/** A line from the row of the field to the title of what it refers to, out of the sides that face each other. */
export function lineOf(edge: Edge, from: Placed, to: Placed, withRows: boolean): string {
  const index = withRows ? from.box.rows.findIndex(({ field }) => field === edge.field) : -1;
  const startY = from.y + (index < 0 ? head / 2 : head + 4 + (index + 0.5) * row);
  const endY = to.y + head / 2;
  if (from.id === to.id) {
    const x = from.x + from.width;
    const low = index < 0 ? startY + 10 : startY;
    return `M ${x} ${low} C ${x + 44} ${low}, ${x + 44} ${endY - 8}, ${x} ${endY - 8}`;
  }
  // Boxes one above the other are joined at the same side.
  const toRight = to.x >= from.x + from.width;
  const toLeft = to.x + to.width <= from.x;
  const startX = toLeft ? from.x : from.x + from.width;
  const endX = toRight ? to.x : to.x + to.width;
  const bend = Math.max(36, Math.abs(endX - startX) / 2);
  const [out, into] = [toLeft ? -bend : bend, toRight ? -bend : bend];
  return `M ${startX} ${startY} C ${startX + out} ${startY}, ${endX + into} ${endY}, ${endX} ${endY}`;
}
