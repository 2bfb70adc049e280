// The folder as one language. Its glossary: colección, elemento, campo, relación, política, permiso, rol, filtro, vista, borrador, versión, enlace
// compartido, flujo, tablero, panel, token, clave de acceso, proveedor, instantánea, sentencia (SQL), solicitud (HTTP).

import type { LanguageTexts } from '../language-texts.js';
import { spanish as main } from './main.js';

export const spanish: LanguageTexts = {
  main,
  rooms: {
    access: async () => (await import('./access.js')).accessSpanish,
    account: async () => (await import('./account.js')).accountSpanish,
    automation: async () => (await import('./automation.js')).automationSpanish,
    explain: async () => (await import('./explain.js')).explainSpanish,
    insights: async () => (await import('./insights.js')).insightsSpanish,
    mirror: async () => (await import('./mirror.js')).mirrorSpanish,
    model: async () => (await import('./model.js')).modelSpanish,
    refusals: async () => (await import('./refusals.js')).refusalsSpanish,
    running: async () => (await import('./running.js')).runningSpanish,
    seeAs: async () => (await import('./see-as.js')).seeAsSpanish,
    shares: async () => (await import('./shares.js')).sharesSpanish,
    signOn: async () => (await import('./sign-on.js')).signOnSpanish,
    talk: async () => (await import('./talk.js')).talkSpanish,
    translations: async () => (await import('./translations.js')).translationsSpanish,
  },
};
