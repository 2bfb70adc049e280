// A value once it has stayed the same for a moment: what is typed is not asked for letter by letter.

import { useEffect, useState } from 'react';
import { isEqual } from '../draft/draft.js';

const pause = 300;

export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const isSame = isEqual(settled, value);
  useEffect(() => {
    if (isSame) return;
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value, isSame]);
  return settled;
}
