// Keeps the canvas of a grid in step with scrolling, size, rows that arrive, and what the grid marks; tells which rows are in sight when
// scrolling rests.

import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { gutter, rowHeight } from './geometry.js';
import { paintGrid, type Scene } from './grid-painter.js';

type Input = Omit<Scene, 'gutter' | 'rowHeight' | 'scrollTop' | 'scrollLeft'> & {
  /** Rows that are about to be shown. */
  readonly onRows: (first: number, last: number) => void;
};

interface Sight {
  readonly first: number;
  readonly last: number;
}

export function useCanvas({ onRows, ...scene }: Input) {
  const body = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [sight, setSight] = useState<Sight>({ first: 0, last: 0 });
  const repaint = () => {
    const [element, surface] = [body.current, canvas.current];
    if (element === null || surface === null || size.width === 0) return;
    const first = Math.floor(element.scrollTop / rowHeight);
    onRows(first - 20, first + Math.ceil(size.height / rowHeight) + 20);
    const scrollLeft = Math.abs(element.scrollLeft);
    if (head.current !== null) head.current.style.insetInlineStart = `${-scrollLeft}px`;
    paintGrid(surface, size.width, size.height, { ...scene, gutter, rowHeight, scrollTop: element.scrollTop, scrollLeft });
  };
  const latest = useRef(repaint);
  useLayoutEffect(() => {
    latest.current = repaint;
    repaint();
  });
  useSize(body, setSize);
  useScroll(body, latest, setSight, scene.rowCount);
  return { body, canvas, head, size, sight };
}

function useScroll(
  body: React.RefObject<HTMLElement | null>,
  repaint: React.RefObject<() => void>,
  onRest: (sight: Sight) => void,
  rowCount: number,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: with other rows other ones are in sight
  useEffect(() => {
    const element = body.current;
    if (element === null) return;
    let [frame, rest] = [0, 0];
    const tell = () => {
      const first = Math.floor(element.scrollTop / rowHeight);
      onRest({ first, last: first + Math.ceil(element.clientHeight / rowHeight) });
    };
    const follow = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => repaint.current());
      clearTimeout(rest);
      rest = window.setTimeout(tell, 120);
    };
    tell();
    element.addEventListener('scroll', follow, { passive: true });
    return () => {
      element.removeEventListener('scroll', follow);
      cancelAnimationFrame(frame);
      clearTimeout(rest);
    };
  }, [body, repaint, onRest, rowCount]);
}

function useSize(element: React.RefObject<HTMLElement | null>, onSize: (size: { width: number; height: number }) => void): void {
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return;
    const observer = new ResizeObserver(() => onSize({ width: target.clientWidth, height: target.clientHeight }));
    observer.observe(target);
    onSize({ width: target.clientWidth, height: target.clientHeight });
    return () => observer.disconnect();
  }, [element, onSize]);
}
