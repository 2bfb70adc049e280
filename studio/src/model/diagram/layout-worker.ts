// Lays a diagram out beside the page, which stays quick meanwhile.

import { type Link, layoutBoxes, type Sized } from './layout.js';

export interface LayoutRequest {
  readonly boxes: readonly Sized[];
  readonly links: readonly Link[];
}

addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => postMessage(layoutBoxes(data.boxes, data.links)));
