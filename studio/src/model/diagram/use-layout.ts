// The places of boxes, asked of the worker; null until they are known.

import { useEffect, useState } from 'react';
import type { Layout } from './layout.js';
import type { LayoutRequest } from './layout-worker.js';

export function useLayout(request: LayoutRequest): Layout | null {
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
