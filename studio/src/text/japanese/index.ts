// The folder as one language.

import type { LanguageTexts } from '../language-texts.js';
import { japanese as main } from './main.js';

export const japanese: LanguageTexts = {
  main,
  rooms: {
    access: async () => (await import('./access.js')).accessJapanese,
    account: async () => (await import('./account.js')).accountJapanese,
    automation: async () => (await import('./automation.js')).automationJapanese,
    explain: async () => (await import('./explain.js')).explainJapanese,
    insights: async () => (await import('./insights.js')).insightsJapanese,
    mirror: async () => (await import('./mirror.js')).mirrorJapanese,
    model: async () => (await import('./model.js')).modelJapanese,
    refusals: async () => (await import('./refusals.js')).refusalsJapanese,
    running: async () => (await import('./running.js')).runningJapanese,
    seeAs: async () => (await import('./see-as.js')).seeAsJapanese,
    shares: async () => (await import('./shares.js')).sharesJapanese,
    signOn: async () => (await import('./sign-on.js')).signOnJapanese,
    talk: async () => (await import('./talk.js')).talkJapanese,
    translations: async () => (await import('./translations.js')).translationsJapanese,
  },
};
