// The indexes a caller sees: those of the tables it may read.

import { findCollection, type SchemaView } from '../../../core/access/view.js';
import { forbiddenCollection, type ServiceError, serviceError } from '../../../core/errors/service-error.js';
import { describeIndexes, type IndexContext, type IndexObject } from './describe-index.js';

export interface VisibleIndexes {
  indexes(): readonly IndexObject[];
  indexesIn(collection: string): readonly IndexObject[];
  index(collection: string, name: string): IndexObject;
}

export function visibleIndexes(view: SchemaView, { keysNeedIndexes }: Pick<IndexContext, 'keysNeedIndexes'>): VisibleIndexes {
  const all = [...view.schema.collections.values()];
  const context: IndexContext = { tables: all.flatMap(({ table }) => table ?? []), keysNeedIndexes };
  const indexesIn = (name: string): readonly IndexObject[] => {
    const collection = findCollection(view, name, 'read');
    if (collection === null) throw forbiddenCollection(name);
    return collection.table === null ? [] : describeIndexes(collection.name, collection.table, context);
  };
  return {
    indexes: () =>
      all.filter(({ name, table }) => table !== null && findCollection(view, name, 'read') !== null).flatMap(({ name }) => indexesIn(name)),
    indexesIn,
    index(collection, name) {
      const found = indexesIn(collection).find((index) => index.name === name);
      if (found === undefined) throw forbiddenIndex(name, collection);
      return found;
    },
  };
}

/** The same answer for an index that is missing and for one that is hidden, as for collections and fields. */
export const forbiddenIndex = (index: string, collection: string): ServiceError =>
  serviceError('FORBIDDEN', `You don't have permission to access index "${index}" in collection "${collection}" or it does not exist.`);
