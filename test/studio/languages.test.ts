// Journey 22 of the design brief: German, French, right to left, dark, twice as large and without motion. Nothing is cut off, no page is wider
// than the window.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { entryTexts } from '../../studio/src/text/entry-texts.js';
import { languages, primaryOf } from '../../studio/src/text/use-text.js';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriers, launchBrowser, openStudio, type StudioPage, signIn, visit } from './open-studio.js';

const [vendor] = inject('vendors');

const places = [
  '',
  'c/books',
  'c/books/2',
  'c/books/2?history',
  'c/books/2?comments',
  'files',
  'dashboards',
  'activity',
  'model',
  'model/books',
  'roles',
  'people',
  'policies',
  'public',
  'settings',
  'settings/sign-on',
  'settings/translations',
  'system',
  'system/storage',
  'system/statements',
  'keys',
  'model/diagram',
  'model/compare',
  'c/books/+',
  'me',
];

const wide = { width: 1280, height: 800 };

/** Words on controls that their box does not show whole. What ends in an ellipsis has the whole text as its title. */
const cutWords = `[...document.querySelectorAll('button, a.button, label, legend, h1, h2, h3, th, .badge, .hint, summary')]
  .filter((each) => each.checkVisibility() && each.clientWidth > 1 && each.scrollWidth > each.clientWidth + 1)
  .filter((each) => getComputedStyle(each).textOverflow !== 'ellipsis' && each.querySelector('.cut, .visually-hidden') === null)
  .map((each) => each.className + ': ' + each.textContent.slice(0, 60))`;

/** Sentences of Studio by language, but for those that are said before a language is known, and for lists of names. */
async function sentencesByLanguage(): Promise<ReadonlyMap<string, readonly string[]>> {
  const all = await Promise.all(
    [...languages].map(async ([tag, load]) => {
      const { main, rooms } = await load();
      const texts = [main, ...(await Promise.all(Object.values(rooms).map((room) => room())))].flatMap(stringsOf);
      const atEntry = new Set<string>(Object.values(entryTexts(tag)));
      return [tag, texts.filter((text) => text.length > 25 && !atEntry.has(text))] as const;
    }),
  );
  const shared = (text: string): boolean => all.filter(([, texts]) => texts.includes(text)).length > 1;
  return new Map(all.map(([tag, texts]) => [tag, texts.filter((text) => !shared(text))]));
}

const stringsOf = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(stringsOf);

/** The languages that a page has texts of: they are in the scripts that it loaded. */
async function languagesIn(addresses: Iterable<string>): Promise<readonly string[]> {
  const scripts = await Promise.all([...addresses].map(async (address) => (await fetch(address)).text()));
  const found = [...(await sentencesByLanguage())].filter(([, sentences]) =>
    sentences.some((sentence) => scripts.some((script) => script.includes(sentence))),
  );
  return found.map(([tag]) => tag);
}

describe.runIf(inject('browser') !== null && vendor !== undefined)('Studio in other languages', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-languages', demo: true })]);
    await service.api.post('/comments', { collection: 'books', item: '2', comment: 'Bitte noch einmal lesen' });
    await service.api.post('/dashboards', { name: 'Verkaufszahlen des laufenden Geschäftsjahres', note: 'Stand heute' });
    await service.api.post('/translations', { key: 'title', language: 'de-DE', value: 'Titel' });
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  /** The drawers that an address names open with the page. */
  const show = async (studio: StudioPage, place: string): Promise<void> => {
    if (!place.includes('?')) return visit(studio, place);
    await studio.page.goto(`${service.url}/admin/${place}`);
    await studio.page.getByRole('dialog').waitFor();
    await studio.settled();
  };

  it.each([
    ['German in the dark', 'de-DE', 'ltr', { viewport: wide, colorScheme: 'dark' }],
    ['French, twice as large', 'fr-FR', 'ltr', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
    ['from right to left', 'ar-SA', 'rtl', { viewport: wide }],
  ] as const)('journey 22: %s', async (_, language, direction, options) => {
    await service.api.patch('/users/me', { language });
    const studio = await openStudio(browser, service, { ...options, locale: language, reducedMotion: 'reduce' });
    const { page } = studio;
    const scripts = new Set<string>();
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.add(response.url());
    });
    await signIn(studio, service);
    for (const place of places) {
      await show(studio, place);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), place).toBe(true);
      expect(await page.evaluate(cutWords), place).toEqual([]);
      expect(await page.evaluate('document.documentElement.dir'), place).toBe(direction);
    }
    expect(await findBarriers(page)).toEqual([]);
    expect(await languagesIn(scripts)).toEqual([primaryOf(language)]);
    studio.expectQuiet();
    await studio.close();
  });
});
