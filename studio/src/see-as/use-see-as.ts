// Begins and ends looking through other eyes: nothing that was read before is kept.

import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { type Eyes, lookThrough } from '../api/view-as.js';
import { useStudio } from '../studio-context.js';

/** `to`: where to look first. */
export function useSeeAs(): (eyes: Eyes | null, to?: string) => Promise<void> {
  const cache = useQueryClient();
  const { reload } = useStudio();
  const [, navigate] = useLocation();
  return async (eyes, to) => {
    lookThrough(eyes);
    // The new view comes first: a screen that still knew the old structure would ask for what these eyes may not see.
    await reload();
    cache.clear();
    if (to !== undefined) navigate(to);
  };
}
