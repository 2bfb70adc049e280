// The Spanish texts of the screens about translations.

import type { TranslationsMessages } from '../english/translations.js';

export const translationsSpanish: TranslationsMessages = {
  hint: 'Donde se escribe un nombre, una nota, un texto de ejemplo o una opción, $t:clave representa el texto de esa clave en el idioma del lector.',
  add: 'Nueva traducción',
  find: 'Buscar una clave o un texto',
  key: 'Clave',
  keyHint: 'Se escribe $t:clave donde va el texto.',
  none: 'Aún no hay traducciones',
  noneHint: 'Aquí se guardan los textos de formularios, listas y tableros que cambian de un idioma a otro.',
  missing: 'Sin texto',
  edit: (key) => `Modificar ${key}`,
  another: 'Otro idioma',
  anotherHint: 'Un código, como fr-FR.',
  addLanguage: 'Añadir idioma',
  save: 'Guardar',
  saved: 'Traducción guardada',
  delete: 'Eliminar',
  deleteAsk: (key) => `¿Eliminar la traducción «${key}»?`,
  deleteHint: (count) =>
    `${count === 1 ? 'Su texto se pierde' : `Sus ${count} textos se pierden`}. Donde se usa la clave, se muestra la clave misma.`,
  deleted: 'Traducción eliminada',
  failed: 'No se pueden leer las traducciones.',
  more: 'Mostrar más',
  pick: 'Usar un texto traducido',
  use: (key) => `Usar ${key}`,
  nothingFound: 'Sin resultados.',
};
