// Starts and ends "See as". Drops everything that was read before.

import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { setViewedAs, type ViewedAs } from '../api/view-as.js';
import { useStudio } from '../studio-context.js';

/** `to`: where to look first. */
export function useSeeAs(): (viewed: ViewedAs | null, to?: string) => Promise<void> {
  const cache = useQueryClient();
  const { reload } = useStudio();
  const [, navigate] = useLocation();
  return async (viewed, to) => {
    setViewedAs(viewed);
    // Loads the new view first: a screen with the old structure would request what this person may not see.
    await reload();
    cache.clear();
    if (to !== undefined) navigate(to);
  };
}
