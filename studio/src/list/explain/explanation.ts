// How the service reads a list, as `explain` answers it.

import { search } from '../../api/client.js';
import type { Collection } from '../../schema/model.js';
import { itemsPath } from '../../studio-context.js';
import { pageSize } from '../rows.js';

export interface TableAccess {
  readonly collection: string;
  readonly access: 'scan' | 'search';
  readonly index: string | null;
  readonly rows: number | null;
}

export interface Suggestion {
  readonly collection: string;
  readonly fields: readonly string[];
}

export interface Explanation {
  readonly sql: string;
  readonly database: unknown;
  readonly tables: readonly TableAccess[];
  readonly sorts: boolean;
  readonly suggestions: readonly Suggestion[];
}

/** `query`: that of the list, as JSON; its first page is explained. */
export async function explainList(collection: Collection, query: string, signal: AbortSignal): Promise<Explanation> {
  const asked = { ...(JSON.parse(query) as object), limit: pageSize, explain: true };
  return (await search<Explanation>(itemsPath(collection), asked, signal)).data;
}

/** Whether a scan reads everything there is, and not just the first page. */
export const readsAll = ({ access, rows }: TableAccess): boolean => access === 'scan' && rows !== null && rows > pageSize;

/** The collections that were read row by row before and are searched now. */
export const improved = (before: Explanation, now: Explanation): readonly { readonly before: TableAccess; readonly now: TableAccess }[] =>
  before.tables.flatMap((table) => {
    const after = now.tables.find(({ collection }) => collection === table.collection);
    const isBetter =
      table.access === 'scan' && table.index === null && after !== undefined && (after.access === 'search' || after.index !== null);
    return isBetter ? [{ before: table, now: after }] : [];
  });
