// The languages that people may choose, by their own names. Pure, imports no framework.

/** Those that Studio has texts in. */
export const spoken: Readonly<Record<string, string>> = {
  'en-US': 'English (US)',
  'en-GB': 'English (UK)',
  'de-DE': 'Deutsch',
  'fr-FR': 'Français',
  'es-ES': 'Español',
  'ar-SA': 'العربية',
  'ja-JP': '日本語',
};

/** Others have their formats of numbers and dates, with English texts. */
export const offered: Readonly<Record<string, string>> = {
  ...spoken,
  'it-IT': 'Italiano',
  'nl-NL': 'Nederlands',
  'pl-PL': 'Polski',
  'pt-BR': 'Português (Brasil)',
  'zh-CN': '简体中文',
};
