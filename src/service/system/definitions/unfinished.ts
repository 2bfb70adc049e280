// The steps of a change of structure under way, on databases where each commits by itself: how to take it back, how to finish it.

import { define, integer, text } from './define.js';

export const unfinished = define('service_unfinished', {
  note: 'Steps of a change of structure that is not finished',
  internal: true,
  accountability: null,
  primaryKey: ['step'],
  fields: [integer('step', { nullable: false }), text('undo'), text('finish')],
});
