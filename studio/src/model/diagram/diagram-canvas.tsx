// The drawing of the diagram with its buttons. What it shows is also in the list beside it, so it is hidden from screen readers.

import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { Icon } from '../../primitives/icon.js';
import { useText } from '../../text/use-text.js';
import { useModelText } from '../model-base.js';
import { Boxes } from './boxes.js';
import { exportSvg } from './export-svg.js';
import type { Graph } from './graph.js';
import type { Layout } from './layout.js';
import type { LayoutRequest } from './layout-worker.js';
import { usePanZoom } from './use-pan-zoom.js';

interface DiagramCanvasProps {
  readonly graph: Graph;
  readonly request: LayoutRequest;
  readonly center: string | null;
  readonly onOpen: (collection: string) => void;
  readonly onCenter: (collection: string) => void;
}

export function DiagramCanvas({ graph, request, center, onOpen, onCenter }: DiagramCanvasProps) {
  const text = useModelText();
  const general = useText();
  const place = useRef<HTMLElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const layout = useLayout(request);
  const { view, zoom, fit, handlers, wasDragged } = usePanZoom(place, layout);
  const click = ({ target }: MouseEvent) => {
    if (wasDragged() || !(target instanceof Element)) return;
    const around = target.closest('[data-around]')?.getAttribute('data-around');
    const opened = target.closest('[data-collection]')?.getAttribute('data-collection');
    if (typeof around === 'string') onCenter(around);
    else if (typeof opened === 'string') onOpen(opened);
  };
  const save = () => {
    if (drawing.current === null || layout === null) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(exportSvg(drawing.current, layout, getComputedStyle(document.body).backgroundColor));
    link.download = center === null ? 'diagram.svg' : `diagram-${center}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  return (
    <div className="diagram-place">
      <section
        ref={place}
        className="diagram-canvas"
        aria-label={text.diagramHint}
        data-ready={layout !== null}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
        tabIndex={0}
        onPointerDown={handlers.onPointerDown}
        onPointerMove={handlers.onPointerMove}
        onPointerUp={handlers.onPointerUp}
        onPointerOver={({ target }) => drawing.current !== null && light(drawing.current, target)}
        onKeyDown={handlers.onKeyDown}
        onClick={click}
      >
        <svg ref={drawing} className="diagram" aria-hidden="true">
          <g transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
            {layout !== null && <Boxes graph={graph} layout={layout} center={center} />}
          </g>
        </svg>
        {layout === null && <p className="hint diagram-wait">{text.layingOut}</p>}
      </section>
      <div className="diagram-buttons">
        <button type="button" className="button icon-only" aria-label={general.zoomIn} onClick={() => zoom(1.25)}>
          <Icon name="plus" />
        </button>
        <button type="button" className="button icon-only" aria-label={general.zoomOut} onClick={() => zoom(0.8)}>
          <Icon name="minus" />
        </button>
        <button type="button" className="button icon-only" aria-label={general.zoomFit} title={general.zoomFit} onClick={fit}>
          <Icon name="fit" />
        </button>
        <button type="button" className="button" disabled={layout === null} onClick={save}>
          <Icon name="download" />
          SVG
        </button>
      </div>
    </div>
  );
}

/** The lines of the box under the pointer stand out. Marked in the page itself: drawing hundreds of boxes again would lag behind the pointer. */
function light(drawing: SVGSVGElement, target: EventTarget): void {
  const id = target instanceof Element ? target.closest('[data-collection]')?.getAttribute('data-collection') : null;
  for (const line of drawing.querySelectorAll('.diagram-edge[data-lit]')) line.removeAttribute('data-lit');
  if (typeof id !== 'string') return;
  const name = CSS.escape(id);
  for (const line of drawing.querySelectorAll(`[data-from="${name}"], [data-to="${name}"]`)) line.setAttribute('data-lit', '');
}

/** The places of the boxes, computed by a worker; null until they are known. */
function useLayout(request: LayoutRequest): Layout | null {
  const [known, setKnown] = useState<{ readonly request: LayoutRequest; readonly layout: Layout } | null>(null);
  useEffect(() => {
    // One worker per layout, so that an outdated layout can be terminated, however long it would take.
    const worker = new Worker(new URL('./layout-worker.js', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Layout>) => {
      setKnown({ request, layout: data });
      worker.terminate();
    });
    worker.postMessage(request);
    return () => worker.terminate();
  }, [request]);
  return known?.request === request ? known.layout : null;
}
