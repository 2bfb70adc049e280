// Asks the service why a user may or may not do something, with the administrator's own rights.

import { useQuery } from '@tanstack/react-query';
import { request } from '../api/client.js';
import type { SeeAsMessages } from '../text/english/see-as.js';
import { useText } from '../text/use-text.js';

export const useSeeAsText = () => useText('seeAs');

export interface Question {
  readonly as: string;
  readonly collection: string;
  readonly action?: 'read' | 'update' | 'delete' | 'share';
  readonly item?: string;
  readonly field?: string;
}

interface Condition {
  readonly path: readonly string[];
  readonly field: string;
  readonly operator: string;
  readonly operand: unknown;
  readonly value: unknown;
}

export interface ExplainedPermission {
  readonly policy: { readonly id: string; readonly name: string | null };
  readonly id: number | null;
  readonly fields: readonly string[];
  readonly covers_item: boolean | null;
  readonly covers_field: boolean | null;
  readonly failed: readonly Condition[];
}

export interface Explanation {
  readonly allowed: boolean;
  readonly reason: keyof SeeAsMessages['reasons'];
  readonly message: string;
  readonly permissions: readonly ExplainedPermission[];
}

const explain = async (question: Question): Promise<Explanation> =>
  (await request<Explanation>('POST', '/utils/access/explain', { body: question, asSelf: true })).data;

export function useExplanation(question: Question): { readonly data: Explanation | undefined; readonly error: Error | null } {
  return useQuery({ queryKey: ['explain', question], queryFn: () => explain(question), refetchOnWindowFocus: false });
}
