// The folder as one language.

import type { LanguageTexts } from '../language-texts.js';
import { english as main } from './main.js';

export const english: LanguageTexts = {
  main,
  rooms: {
    access: async () => (await import('./access.js')).accessEnglish,
    account: async () => (await import('./account.js')).accountEnglish,
    automation: async () => (await import('./automation.js')).automationEnglish,
    explain: async () => (await import('./explain.js')).explainEnglish,
    insights: async () => (await import('./insights.js')).insightsEnglish,
    mirror: async () => (await import('./mirror.js')).mirrorEnglish,
    model: async () => (await import('./model.js')).modelEnglish,
    refusals: async () => (await import('./refusals.js')).refusalsEnglish,
    running: async () => (await import('./running.js')).runningEnglish,
    seeAs: async () => (await import('./see-as.js')).seeAsEnglish,
    shares: async () => (await import('./shares.js')).sharesEnglish,
    signOn: async () => (await import('./sign-on.js')).signOnEnglish,
    talk: async () => (await import('./talk.js')).talkEnglish,
    translations: async () => (await import('./translations.js')).translationsEnglish,
  },
};
