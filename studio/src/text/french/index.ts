// The folder as one language. Its glossary: collection, élément, champ, relation, politique, autorisation, rôle, filtre, vue, brouillon, version,
// partage, flux, tableau de bord, panneau, jeton, clé d’accès, fournisseur, instantané, instruction (SQL), requête (HTTP). No-break spaces stand
// before : ; ? ! and within « », so that no line begins with them.

import type { LanguageTexts } from '../language-texts.js';
import { french as main } from './main.js';

export const french: LanguageTexts = {
  main,
  rooms: {
    access: async () => (await import('./access.js')).accessFrench,
    account: async () => (await import('./account.js')).accountFrench,
    automation: async () => (await import('./automation.js')).automationFrench,
    explain: async () => (await import('./explain.js')).explainFrench,
    insights: async () => (await import('./insights.js')).insightsFrench,
    mirror: async () => (await import('./mirror.js')).mirrorFrench,
    model: async () => (await import('./model.js')).modelFrench,
    refusals: async () => (await import('./refusals.js')).refusalsFrench,
    running: async () => (await import('./running.js')).runningFrench,
    seeAs: async () => (await import('./see-as.js')).seeAsFrench,
    shares: async () => (await import('./shares.js')).sharesFrench,
    signOn: async () => (await import('./sign-on.js')).signOnFrench,
    talk: async () => (await import('./talk.js')).talkFrench,
    translations: async () => (await import('./translations.js')).translationsFrench,
  },
};
