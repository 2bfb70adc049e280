// The diagram as a file of its own: all of it, with the colours it has on the page.

import type { Layout } from './layout.js';

const properties = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font-family', 'font-size', 'font-weight'];
const margin = 24;

export function exportSvg(drawing: SVGSVGElement, { width, height }: Layout, background: string): Blob {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const shapes = (root: SVGSVGElement): readonly Element[] => [...root.querySelectorAll('g, rect, path, text, tspan, circle')];
  const shown = shapes(drawing);
  for (const [index, shape] of shapes(copy).entries()) {
    const original = shown[index];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    // A file has no style sheet.
    for (const property of properties) shape.setAttribute(property, style.getPropertyValue(property));
    shape.removeAttribute('class');
  }
  // The marks are for the pointer.
  for (const mark of copy.querySelectorAll('[data-around]')) mark.remove();
  copy.querySelector('g')?.removeAttribute('transform');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', `${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`);
  copy.setAttribute('width', String(Math.round(width + 2 * margin)));
  copy.setAttribute('height', String(Math.round(height + 2 * margin)));
  copy.removeAttribute('class');
  copy.removeAttribute('aria-hidden');
  const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of Object.entries({
    x: -margin,
    y: -margin,
    width: width + 2 * margin,
    height: height + 2 * margin,
    fill: background,
  }))
    paper.setAttribute(name, String(value));
  copy.prepend(paper);
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' });
}
