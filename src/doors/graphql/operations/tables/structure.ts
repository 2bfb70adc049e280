// Collections, fields, relations and indexes, and the structure as a document.

import * as changes from '../../../../service/operations/structure/changes.js';
import { compareSnapshot, takeSnapshot } from '../../../../service/operations/structure/documents.js';
import * as reads from '../../../../service/operations/structure/reads.js';
import type { OperationField } from '../operation-field.js';

const changing = (field: string, { operation }: changes.StructureChange): OperationField => ({ operation, kind: 'mutation', field });

export const structureFields: readonly OperationField[] = [
  { operation: reads.listCollections, kind: 'query', field: 'collections' },
  { operation: reads.readCollection, kind: 'query', field: 'collections_by_name' },
  { operation: reads.listFields, kind: 'query', field: 'fields' },
  { operation: reads.listFieldsOf, kind: 'query', field: 'fields_in_collection' },
  { operation: reads.readField, kind: 'query', field: 'fields_by_name' },
  { operation: reads.listRelations, kind: 'query', field: 'relations' },
  { operation: reads.listRelationsOf, kind: 'query', field: 'relations_in_collection' },
  { operation: reads.readRelation, kind: 'query', field: 'relations_by_name' },
  { operation: reads.listIndexes, kind: 'query', field: 'indexes' },
  { operation: reads.listIndexesOf, kind: 'query', field: 'indexes_in_collection' },
  { operation: reads.readIndex, kind: 'query', field: 'indexes_by_name' },
  changing('create_collections_item', changes.createCollection),
  changing('update_collections_item', changes.updateCollection),
  changing('update_collections_items', changes.updateCollections),
  changing('delete_collections_item', changes.deleteCollection),
  changing('create_fields_item', changes.createField),
  changing('update_fields_item', changes.updateField),
  changing('update_fields_items', changes.updateFields),
  changing('delete_fields_item', changes.deleteField),
  changing('create_relations_item', changes.createRelation),
  changing('update_relations_item', changes.updateRelation),
  changing('delete_relations_item', changes.deleteRelation),
  changing('create_indexes_item', changes.createIndex),
  changing('delete_indexes_item', changes.deleteIndex),
  changing('schema_apply', changes.applySnapshot),
  changing('schema_changes', changes.changeStructure),
  { operation: changes.previewStructure, kind: 'query', field: 'structure_preview' },
  { operation: takeSnapshot, kind: 'query', field: 'schema_snapshot' },
  { operation: compareSnapshot, kind: 'query', field: 'schema_diff' },
];
