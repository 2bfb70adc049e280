// Keeps the canvas of a grid in step with scrolling, size, rows that arrive, and what the grid marks; tells which rows are in sight when
// scrolling rests.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type ScrollScale, scrollScale } from '../scroll-scale.js';
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
  const [shift, setShift] = useState(0);
  const { rowCount } = scene;
  const scale = useMemo(() => scrollScale(rowCount * rowHeight, size.height), [rowCount, size.height]);
  const repaint = () => {
    const [element, surface] = [body.current, canvas.current];
    if (element === null || surface === null || size.width === 0) return;
    const scrollTop = scale.toOffset(element.scrollTop);
    setShift(element.scrollTop - scrollTop);
    const first = Math.floor(scrollTop / rowHeight);
    onRows(first - 20, first + Math.ceil(size.height / rowHeight) + 20);
    const scrollLeft = Math.abs(element.scrollLeft);
    if (head.current !== null) head.current.style.insetInlineStart = `${-scrollLeft}px`;
    paintGrid(surface, size.width, size.height, { ...scene, gutter, rowHeight, scrollTop, scrollLeft });
  };
  const latest = useRef(repaint);
  useLayoutEffect(() => {
    latest.current = repaint;
    repaint();
  });
  useSize(body, setSize);
  useScroll(body, latest, setSight, scale);
  return { body, canvas, head, size, sight, scale, shift };
}

function useScroll(
  body: React.RefObject<HTMLElement | null>,
  repaint: React.RefObject<() => void>,
  onRest: (sight: Sight) => void,
  scale: ScrollScale,
): void {
  useEffect(() => {
    const element = body.current;
    if (element === null) return;
    let [frame, rest] = [0, 0];
    const report = () => {
      const first = Math.floor(scale.toOffset(element.scrollTop) / rowHeight);
      onRest({ first, last: first + Math.ceil(element.clientHeight / rowHeight) });
    };
    const follow = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => repaint.current());
      clearTimeout(rest);
      rest = window.setTimeout(report, 120);
    };
    report();
    element.addEventListener('scroll', follow, { passive: true });
    return () => {
      element.removeEventListener('scroll', follow);
      cancelAnimationFrame(frame);
      clearTimeout(rest);
    };
  }, [body, repaint, onRest, scale]);
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
