// The folder as one language.

import type { LanguageTexts } from '../language-texts.js';
import { arabic as main } from './main.js';

export const arabic: LanguageTexts = {
  main,
  rooms: {
    access: async () => (await import('./access.js')).accessArabic,
    account: async () => (await import('./account.js')).accountArabic,
    automation: async () => (await import('./automation.js')).automationArabic,
    explain: async () => (await import('./explain.js')).explainArabic,
    insights: async () => (await import('./insights.js')).insightsArabic,
    mirror: async () => (await import('./mirror.js')).mirrorArabic,
    model: async () => (await import('./model.js')).modelArabic,
    refusals: async () => (await import('./refusals.js')).refusalsArabic,
    running: async () => (await import('./running.js')).runningArabic,
    seeAs: async () => (await import('./see-as.js')).seeAsArabic,
    shares: async () => (await import('./shares.js')).sharesArabic,
    signOn: async () => (await import('./sign-on.js')).signOnArabic,
    talk: async () => (await import('./talk.js')).talkArabic,
    translations: async () => (await import('./translations.js')).translationsArabic,
  },
};
