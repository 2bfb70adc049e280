// Studio in a real browser, signed in, with everything noted that must not happen: errors on the console, requests to other origins, answers
// of 500 and more, and refusals that the test does not announce.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page, type Request } from 'playwright-core';
import { expect, inject } from 'vitest';
import { adminEmail, adminPassword, type TestService } from '../harness/start-service.js';

export interface StudioPage {
  readonly page: Page;
  /** Requests since the last call, as `METHOD /path`. */
  requests(): readonly string[];
  /** Resolves when nothing is under way, and what has arrived is drawn without asking for more. */
  settled(): Promise<void>;
  /**
   * Announces refusals that the test brings about, by the beginning of `STATUS METHOD /path`. Studio asks for nothing else that is refused,
   * whoever uses it: `expectQuiet` and `close` fail on any other answer of 400 to 499.
   */
  allowRefusals(...refusals: readonly string[]): void;
  /** Fails when something happened that must not. */
  expectQuiet(): void;
  /**
   * Gives the page back: the next test of the same service that opens Studio in the same way gets it, without cookies and storage, but with
   * the code that the browser has read and compiled, which is half the work of opening it. What a test changed in another way than by
   * routes, the size and the colours ends with its context, which it closes instead. Fails on a refusal that was not announced.
   */
  close(): Promise<void>;
}

const launched = new Map<boolean, Promise<Browser>>();

/** Pages live shortly here: compiling their functions once more, for speed, takes longer than what it saves. */
const compileOnce = '--js-flags=--no-opt,--no-maglev';

/**
 * One for all files of a worker, which share its modules: it ends with the worker. A file closes its pages. One that measures the time of a
 * page asks for a browser that compiles as it does for people.
 */
export function launchBrowser({ measures = false } = {}): Promise<Browser> {
  const executablePath = inject('browser');
  if (executablePath === null) throw new Error('there is no browser here');
  const args = ['--no-sandbox', '--disable-dev-shm-usage', ...(measures ? [] : [compileOnce])];
  const browser = launched.get(measures) ?? chromium.launch({ executablePath, args });
  launched.set(measures, browser);
  return browser;
}

/** Those that tests gave back; `kind`: the service and the options. */
let givenBack: { readonly kind: string; readonly page: Page }[] = [];

/** Also those that a failed test left open: they would go on asking a service that has stopped. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  givenBack = givenBack.filter(({ page }) => page.context().browser() !== browser);
  for (const context of browser?.contexts() ?? []) await context.close();
}

/** What is asked of a service here. */
type Served = Pick<TestService, 'url'>;

export async function openStudio(browser: Browser, service: Served, options: BrowserContextOptions = {}): Promise<StudioPage> {
  const complete = { viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options };
  const kind = JSON.stringify([service.url, complete]);
  const again = givenBack.find((each) => each.kind === kind && each.page.context().browser() === browser);
  givenBack = givenBack.filter((each) => each !== again);
  const page = again?.page ?? (await (await browser.newContext(complete)).newPage());
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  const refused: string[] = [];
  const allowed: string[] = [];
  const expectNoRefusal = () => expect(refused.filter((line) => !allowed.some((start) => line.startsWith(start)))).toEqual([]);
  let asked: string[] = [];
  let begun = 0;
  const underWay = new Set<Request>();
  page.on('console', (message) => {
    if (message.type() === 'error' && !isOfRefusal.test(message.text())) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== new URL(service.url).origin && url.protocol !== 'data:') faults.push(`foreign request: ${request.url()}`);
    asked.push(`${request.method()} ${url.pathname}`);
    begun += 1;
    // A socket stays open.
    if (request.resourceType() !== 'websocket') underWay.add(request);
  });
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  page.on('response', (response) => {
    const status = response.status();
    if (status >= 500) faults.push(`${status}: ${response.url()}`);
    else if (status >= 400) refused.push(`${status} ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  return {
    page,
    requests: () => {
      const list = asked;
      asked = [];
      return list;
    },
    settled: async () => {
      for (let quiet = 0; quiet < 2; ) {
        const before = begun;
        await twoFrames(page);
        quiet = underWay.size === 0 && begun === before ? quiet + 1 : 0;
      }
    },
    allowRefusals: (...refusals) => void allowed.push(...refusals),
    expectQuiet: () => {
      expect(faults).toEqual([]);
      expectNoRefusal();
    },
    close: async () => {
      expectNoRefusal();
      await clean(page, service, complete);
      givenBack.push({ kind, page });
    },
  };
}

/** What the browser says of an answer that is noted as a refusal. */
const isOfRefusal = /^Failed to load resource: the server responded with a status of 4/;

const heard = ['console', 'pageerror', 'request', 'requestfinished', 'requestfailed', 'response', 'websocket'] as const;

/** As a new page is, but for its history. */
async function clean(page: Page, service: Served, { viewport, colorScheme, reducedMotion }: BrowserContextOptions): Promise<void> {
  const context = page.context();
  for (const event of heard) page.removeAllListeners(event);
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // A place of the same origin, where nothing of Studio runs that could store something yet: its process stays.
  await page.goto(`${service.url}/server/ping`);
  await page.evaluate('localStorage.clear(), sessionStorage.clear()');
  await context.clearCookies();
  await page.mouse.move(0, 0);
  await page.emulateMedia({ colorScheme: colorScheme ?? 'light', reducedMotion: reducedMotion ?? 'no-preference' });
  if (viewport) await page.setViewportSize(viewport);
}

const admin = { email: adminEmail, password: adminPassword };

/** By a request, in the time that the form takes to load. Tests of the form fill it in themselves. */
export async function signIn(
  { page }: StudioPage,
  service: Served,
  place = '/admin/',
  { email, password }: Readonly<typeof admin> = admin,
): Promise<void> {
  const answer = await page.context().request.post(`${service.url}/auth/login`, { data: { email, password, mode: 'session' } });
  expect(answer.status(), await answer.text()).toBe(200);
  // The cookie is not for scripts to read: Studio notes that there is one.
  const note = await page.addInitScript("localStorage.setItem('tain.session', 'password')");
  await page.goto(service.url + place);
  await note.dispose();
  // A page may have another navigation of its own.
  await page.locator('nav.side').waitFor({ state: 'attached' });
}

/** Buttons and inputs in sight that a message lies over. */
export const coveredByToasts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll('button, a.button, input, textarea, select')]
    .filter((each) => each.checkVisibility() && each.closest('.toasts') === null)
    .filter((each) => {
      const { left, top, width, height } = each.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.toast') != null;
    })
    .map((each) => each.getAttribute('aria-label') ?? each.textContent)`);

const twoFrames = (page: Page): Promise<void> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))');

/** Leads to another screen as a link does: Studio is not loaded again. */
export const go = (page: Page, place: string): Promise<void> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/admin/${place}`)})`);

/** The same, until the screen has all that it shows. */
export async function visit({ page, settled }: StudioPage, place: string): Promise<void> {
  await go(page, place);
  await settled();
  await page.getByRole('heading', { level: 1 }).waitFor();
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Types into a field that looks for items, and waits for what it finds: options that arrive move others away from under the pointer. */
export async function seek(field: Locator, text: string): Promise<void> {
  const found = field.page().waitForResponse(
    (response) =>
      response
        .request()
        .postData()
        ?.includes(`"search":${JSON.stringify(text)}`) ?? false,
  );
  await field.fill(text);
  await (await found).finished();
  // Read, and drawn: the first frame may be under way already.
  await field.page().evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 0))');
}

/** The editors of GraphiQL are scrolled by moving in their text; what has the focus then is a field beside what scrolls. */
const excused = { id: 'scrollable-region-focusable', html: '<div class="CodeMirror-scroll"' };

/**
 * Serious and critical findings of axe-core on the page as it is and in its frames, one line each. What comes in sight gradually is looked at
 * when it is there.
 */
export async function findBarriers(page: Page, rules: readonly string[] | null = null): Promise<readonly string[]> {
  for (const frame of page.frames()) if (await frame.evaluate('globalThis.axe === undefined')) await frame.evaluate(axeSource);
  await page.evaluate(`Promise.allSettled(
    document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
      .map(({ finished }) => finished),
  ).then(() => undefined)`);
  return page.evaluate(
    async ({ known, only }) => {
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
      interface Violation {
        readonly id: string;
        readonly impact: string;
        readonly nodes: readonly { readonly html: string }[];
      }
      // Every rule runs, or those that are named; only what is found is described. The style sheets are not collected, which no rule that
      // runs reads.
      const { violations } = await axe.run({
        reporter: 'no-passes',
        preload: { assets: ['media'] },
        ...(only === null ? {} : { runOnly: { type: 'rule', values: only } }),
      });
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ id, html })))
        .filter(({ id, html }) => id !== known.id || !html.startsWith(known.html))
        .map(({ id, html }) => `${id}: ${html.slice(0, 160)}`);
    },
    { known: excused, only: rules },
  );
}

/** The rules whose findings depend on the colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** In the light by every rule, then in the dark by those of colours: everything else is the same there. The page stays dark. */
export async function findBarriersInBothColours(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [colorScheme, rules] of [
    ['light', null],
    ['dark', colourRules],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    found.push(...(await findBarriers(page, rules)).map((line) => `${colorScheme}: ${line}`));
  }
  return found;
}

/** Holds requests back until the function that it resolves to is called. */
export async function holdBack(page: Page, method: string, url: string | RegExp): Promise<() => void> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(url, async (route) => {
    if (route.request().method() === method) await held;
    await route.continue();
  });
  return letGo;
}
