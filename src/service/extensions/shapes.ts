// The shapes that authors of extensions write inputs and outputs with.

import * as shape from '../operations/shape.js';

const { boolean, choice, described, email, integer, json, key, list, nothing, number, object, optional, text, withDefault } = shape;

export const shapes = { boolean, choice, described, email, integer, json, key, list, nothing, number, object, optional, text, withDefault };
