// What the screen of providers reads, with one request.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { graphql } from '../api/client.js';
import type { SignOnMessages } from '../text/english/sign-on.js';
import { useText } from '../text/use-text.js';

export const useSignOnText = () => useText('signOn');

export interface KeptProvider {
  readonly name: string;
  readonly driver: keyof SignOnMessages['kinds'];
  readonly label: string;
  readonly source: 'environment' | 'settings';
  readonly state: keyof SignOnMessages['states'];
  readonly problems: readonly string[];
  /** Secrets are asterisks. */
  readonly settings: Readonly<Record<string, string>>;
  readonly callback: string | null;
  readonly metadata: string | null;
}

export interface Trial {
  readonly works: boolean;
  readonly findings: readonly {
    readonly level: 'good' | 'doubtful' | 'bad';
    readonly code: keyof SignOnMessages['findings'];
    readonly message: string;
  }[];
}

export interface SignOn {
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  readonly auth_kept_providers: { readonly public_url: string; readonly providers: readonly KeptProvider[] };
}

export const signOnRequest = {
  document: `{
  roles(limit: -1, sort: ["name"]) { id name }
  auth_kept_providers { public_url providers { name driver label source state problems settings callback metadata } }
}`,
};

const queryKey = ['sign-on providers'];

export const useSignOn = () =>
  useQuery({ queryKey, staleTime: 0, queryFn: () => graphql<SignOn>(signOnRequest.document), refetchOnWindowFocus: false });

export function useRefreshSignOn(): () => Promise<void> {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey });
}
