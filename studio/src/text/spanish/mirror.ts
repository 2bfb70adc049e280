// The Spanish texts of the drawer that shows a request.

import type { MirrorMessages } from '../english/mirror.js';

export const mirrorSpanish: MirrorMessages = {
  title: 'Esta página como solicitud',
  hint: 'Lo que lee esta página, para sus propios programas. La respuesta depende de los permisos del token.',
  tokenHint: 'TOKEN es un token estático suyo, o de una cuenta creada para ello.',
  viewAs: (header) => `Está viendo como otro usuario: envíe también la cabecera ${header}.`,
  kinds: 'Lenguaje de la solicitud',
  copy: 'Copiar',
  copied: 'Copiado',
  sentTo: (address) => `Para ${address}`,
  noGraphql: 'GraphQL no tiene una lectura así. GraphiQL muestra lo que hay.',
  openGraphiql: 'Abrir GraphiQL',
};
