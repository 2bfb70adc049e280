// The Spanish texts of the first screen.

import type { homeEnglish } from '../english/home.js';

export const homeSpanish: typeof homeEnglish = {
  recentlyEdited: 'Editado por usted hace poco',
  ownDrafts: 'Sus borradores en este navegador',
  firstSteps: 'Primeros pasos',
  firstStepsHint: 'Este proyecto está vacío. Las tablas que otro programa cree en la base de datos aparecen aquí por sí solas.',
  stepModel: 'Crear una colección',
  stepModelHint: 'Una tabla con sus campos: su lista, su formulario y su API están listos de inmediato.',
  stepPeople: 'Invitar a personas',
  stepPeopleHint: 'Reciben un correo y eligen una contraseña.',
  stepAccess: 'Decidir quién puede hacer qué',
  stepAccessHint: 'Las políticas abren colecciones, elementos y campos a roles y personas.',
  stepSettings: 'Dar nombre al proyecto',
  stepSettingsHint: 'Su nombre, color e idioma.',
};
