// The types that are alike in every schema, whatever the database holds.

import type { GraphQLNamedType } from 'graphql';
import { filterOperatorTypes } from './filter-operators.js';
import { functionTypes } from './function-types.js';
import { eventEnum } from './mutated-type.js';
import { deletionTypes } from './mutation-roots.js';
import * as scalars from './scalars.js';

export const fixedTypes: readonly GraphQLNamedType[] = [
  ...Object.values(scalars),
  ...filterOperatorTypes,
  ...functionTypes,
  ...deletionTypes,
  eventEnum,
];
