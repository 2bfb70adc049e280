// Moves and zooms a drawing: dragged by pointer, the wheel zooms where the pointer is, keys do both.

import { type KeyboardEvent, type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Layout } from './layout.js';

interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const leastScale = 0.05;
const mostScale = 3;
const margin = 24;
/** The smallest readable scale: a large diagram opens at its beginning instead of as a whole. */
const readable = 0.75;

interface PanZoom {
  readonly view: View;
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: (event: PointerEvent) => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
  /** Whether the pointer has moved since it was pressed, so that it was not a click. */
  readonly wasDragged: () => boolean;
}

export function usePanZoom(place: RefObject<HTMLElement | null>, layout: Layout | null): PanZoom {
  const [view, setView] = useState<View>({ x: margin, y: margin, scale: 1 });
  const grip = useRef<{ x: number; y: number; isMoved: boolean; isDown: boolean }>({ x: 0, y: 0, isMoved: false, isDown: false });
  const show = useCallback(
    (least: number) => {
      const box = place.current?.getBoundingClientRect();
      if (box === undefined || layout === null || layout.width === 0) return;
      const whole = Math.min((box.width - 2 * margin) / layout.width, (box.height - 2 * margin) / layout.height, 1);
      const scale = Math.max(whole, least, leastScale);
      const start = (room: number, size: number) => (size * scale > room ? margin : (room - size * scale) / 2);
      setView({ x: start(box.width, layout.width), y: start(box.height, layout.height), scale });
    },
    [place, layout],
  );
  useEffect(() => show(readable), [show]);
  const zoomAt = useCallback((factor: number, x: number, y: number) => {
    setView((present) => {
      const scale = Math.min(mostScale, Math.max(leastScale, present.scale * factor));
      const ratio = scale / present.scale;
      return { x: x - (x - present.x) * ratio, y: y - (y - present.y) * ratio, scale };
    });
  }, []);
  useWheel(place, zoomAt);
  const zoom = (factor: number) => {
    const box = place.current?.getBoundingClientRect();
    zoomAt(factor, (box?.width ?? 0) / 2, (box?.height ?? 0) / 2);
  };
  const pan = (x: number, y: number) => setView((present) => ({ ...present, x: present.x + x, y: present.y + y }));
  const fit = () => show(0);
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => pan(60, 0),
    ArrowRight: () => pan(-60, 0),
    ArrowUp: () => pan(0, 60),
    ArrowDown: () => pan(0, -60),
    '+': () => zoom(1.25),
    '-': () => zoom(0.8),
    '0': fit,
  };
  return {
    view,
    zoom,
    fit,
    wasDragged: () => grip.current.isMoved,
    handlers: {
      onPointerDown: ({ clientX, clientY }) => {
        grip.current = { x: clientX, y: clientY, isMoved: false, isDown: true };
      },
      onPointerMove: (event) => {
        const { current } = grip;
        if (!current.isDown) return;
        const [x, y] = [event.clientX - current.x, event.clientY - current.y];
        if (!current.isMoved && Math.hypot(x, y) < 4) return;
        // Captured only when the pointer moves: until then it may be a click on a box.
        if (!current.isMoved) event.currentTarget.setPointerCapture(event.pointerId);
        grip.current = { x: event.clientX, y: event.clientY, isMoved: true, isDown: true };
        pan(x, y);
      },
      onPointerUp: () => {
        grip.current.isDown = false;
      },
      onKeyDown: (event) => {
        const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
        if (act === undefined) return;
        event.preventDefault();
        act();
      },
    },
  };
}

function useWheel(place: RefObject<HTMLElement | null>, zoomAt: (factor: number, x: number, y: number) => void): void {
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    // React listens passively: the page would scroll, too.
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      zoomAt(Math.exp(-event.deltaY * 0.0015), event.clientX - left, event.clientY - top);
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [place, zoomAt]);
}
