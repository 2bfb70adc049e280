// The folder as one language.

import type { LanguageTexts } from '../language-texts.js';
import { german as main } from './main.js';

export const german: LanguageTexts = {
  main,
  rooms: {
    access: async () => (await import('./access.js')).accessGerman,
    account: async () => (await import('./account.js')).accountGerman,
    automation: async () => (await import('./automation.js')).automationGerman,
    explain: async () => (await import('./explain.js')).explainGerman,
    insights: async () => (await import('./insights.js')).insightsGerman,
    mirror: async () => (await import('./mirror.js')).mirrorGerman,
    model: async () => (await import('./model.js')).modelGerman,
    refusals: async () => (await import('./refusals.js')).refusalsGerman,
    running: async () => (await import('./running.js')).runningGerman,
    seeAs: async () => (await import('./see-as.js')).seeAsGerman,
    shares: async () => (await import('./shares.js')).sharesGerman,
    signOn: async () => (await import('./sign-on.js')).signOnGerman,
    talk: async () => (await import('./talk.js')).talkGerman,
    translations: async () => (await import('./translations.js')).translationsGerman,
  },
};
