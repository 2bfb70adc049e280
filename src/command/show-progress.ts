// One line on a terminal that says how far a command is. Elsewhere nothing is shown.

import type { Progress } from '../service/transfer/backup/progress.js';

const everyMs = 100;
const barWidth = 20;

export function showProgress(stream: NodeJS.WriteStream = process.stderr): {
  readonly progress: (progress: Progress) => void;
  readonly end: () => void;
} {
  let shownAt = 0;
  return {
    progress(progress) {
      const now = performance.now();
      if (!stream.isTTY || now - shownAt < everyMs) return;
      shownAt = now;
      stream.write(`\r\x1b[K${lineOf(progress)}`);
    },
    end: () => {
      if (stream.isTTY && shownAt > 0) stream.write('\r\x1b[K');
    },
  };
}

function lineOf({ part, at, parts, count, of }: Progress): string {
  const inside = of === null || of <= 0 ? 0 : Math.min(1, count / of);
  const done = Math.round(Math.min(1, (at + inside) / Math.max(parts, 1)) * barWidth);
  return `[${'#'.repeat(done)}${' '.repeat(barWidth - done)}] ${part}${count > 0 ? ` ${count}` : ''}`;
}
