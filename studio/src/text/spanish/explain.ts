// The Spanish texts of "Explain this list".

import type { ExplainMessages } from '../english/explain.js';
import { counted } from './words.js';

export const explainSpanish: ExplainMessages = {
  title: (name) => `Cómo se lee «${name}»`,
  asking: 'Consultando la base de datos…',
  scan: 'Recorrido',
  search: 'Búsqueda',
  readsAll: (rows, collection) => `Lee todo ${collection}: ${counted(rows, 'fila', 'filas')}`,
  readsAllUnknown: (collection) => `Lee todas las filas de ${collection}`,
  readsFirst: (rows, collection) => `Lee ${counted(rows, 'fila', 'filas')} de ${collection}, desde el principio`,
  readsInOrder: (collection, index) => `Lee ${collection} en el orden del índice ${index}`,
  finds: (collection, index) => `Encuentra filas de ${collection} con el índice ${index}`,
  findsByKey: (collection) => `Encuentra filas de ${collection} por su clave`,
  noIndex: (fields) => `sin índice en ${fields}`,
  sorts: 'Ordena lo encontrado antes de responder',
  suggestion: (collection, fields) => `Un índice en ${fields} de ${collection} encontraría estas filas directamente.`,
  cost: 'Un índice ocupa espacio y hace las escrituras algo más lentas.',
  add: 'Añadir este índice…',
  fine: 'No falta ningún índice.',
  better: (before, now) => `El plan ha cambiado. Antes: ${before}. Ahora: ${now}.`,
  statement: 'Sentencia',
  rawPlan: 'Plan de la base de datos',
};
