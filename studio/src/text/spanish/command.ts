// The Spanish texts of the command menu.

import type { commandEnglish } from '../english/command.js';

export const commandSpanish: typeof commandEnglish = {
  commands: 'Comandos',
  signOn: 'Proveedores de acceso',
  translations: 'Traducciones',
  api: 'API',
  graphiql: 'GraphiQL',
  slowStatements: 'Sentencias lentas',
  keys: 'Tokens',
  storage: 'Almacenamiento',
  pickTranslation: 'Usar un texto traducido',
  shownAs: (text) => `Se muestra como «${text}»`,
  findAnything: 'Buscar una colección o un comando',
  goTo: 'Ir a',
  create: 'Crear',
  searchIn: 'Buscar',
  actions: 'Acciones',
  newIn: (collection) => `Elemento nuevo en ${collection}`,
  searchFor: (searchText, collection) => `Buscar «${searchText}» en ${collection}`,
  lightAppearance: 'Apariencia clara',
  darkAppearance: 'Apariencia oscura',
  systemAppearance: 'Apariencia del sistema',
  more: 'Más',
  showRequest: 'Mostrar como solicitud',
  modelDiagram: 'Modelo: diagrama',
  compareSnapshot: 'Modelo: comparar con una instantánea',
};
