// What files have besides their items.

import { may } from '../../../operations/open-rule.js';
import { group, open } from '../fixed-operation.js';
import { content } from '../operation.js';

const imageParameters = ['width', 'height', 'fit', 'format', 'quality', 'withoutEnlargement', 'key', 'download'];

export const fileOperations = group('service_files', {
  readAsset: open(may('read', 'service_files'))('get /assets/{id}', 'The content of a file, as it is or transformed', {
    parameters: imageParameters,
    answer: content('*/*', {}),
  }),
});
