// Moves what hangs below a cell so far to the side that the edge of the grid, which cuts what sticks out, does not cut it.

const margin = 8;

/** The `ref` of the element. */
export function stayInGrid(element: HTMLElement | null): void {
  const grid = element?.closest('.grid-body');
  if (element === null || grid === null || grid === undefined) return;
  const [box, frame] = [element.getBoundingClientRect(), grid.getBoundingClientRect()];
  const left = frame.left + margin;
  const right = frame.left + grid.clientWidth - margin;
  const shift = Math.max(left - box.left, Math.min(0, right - box.right));
  if (shift !== 0) element.style.translate = `${shift}px`;
}
