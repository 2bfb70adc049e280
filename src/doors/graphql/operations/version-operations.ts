// What versions have besides their items: saving changes into one, comparing it, promoting it.

import { GraphQLID, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql';
import type { Writer } from '../../../core/engine/writer.js';
import { compareVersion, promoteVersion, readPromotion } from '../../../service/history/promote-version.js';
import { saveVersion } from '../../../service/history/save-version.js';
import type { VersionContext } from '../../../service/history/version-context.js';
import type { Drawing } from '../schema/drawing.js';
import { jsonScalar } from '../schema/scalars.js';
import type { Operation } from './operation.js';

export interface VersionSources {
  readonly versions: VersionContext;
  readonly writer: Writer;
}

const id = { type: new GraphQLNonNull(GraphQLID) };

export function versionOperations({ versions, writer }: VersionSources): readonly Operation[] {
  const isOffered = (_caller: unknown, drawing: Drawing): boolean => drawing.find('service_versions', 'read') !== null;
  const operations: readonly Omit<Operation, 'type' | 'isOffered'>[] = [
    { kind: 'query', name: 'versions_compare', args: { id }, run: ({ work, args }) => compareVersion(versions, work, String(args['id'])) },
    {
      kind: 'mutation',
      name: 'versions_save',
      once: true,
      args: { id, data: { type: new GraphQLNonNull(jsonScalar) } },
      run: ({ caller, args }) => writer.transaction(caller, (work) => saveVersion(versions, work, String(args['id']), args['data'])),
    },
    {
      kind: 'mutation',
      name: 'versions_promote',
      once: true,
      args: {
        id,
        mainHash: { type: new GraphQLNonNull(GraphQLString) },
        fields: { type: new GraphQLList(new GraphQLNonNull(GraphQLString)) },
      },
      run: ({ caller, args }) =>
        writer.transaction(caller, (work) => promoteVersion(versions, work, String(args['id']), readPromotion(args))),
    },
  ];
  return operations.map((operation) => ({ ...operation, type: jsonScalar, isOffered }));
}
