import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { insertClient } from '../../support/app/insert-client.js';
import { BOOTSTRAP_CLIENT } from '../../support/app/service.js';
import { fitsWindow, forgetAll, openPage, startBrowser, STEP_MS } from '../../support/browser/browser.js';
import { navigate, seriousFindings, settled, signIn, signInHere } from '../../support/browser/console.js';
import { type ConsoleFixture, startConsoleFixture } from '../../support/browser/console-fixture.js';
import { consolePages, NARROW, WIDE } from '../../support/browser/console-pages.js';

/** The folder for pictures of the pages, if there is one: `npm run docs:screenshots`. */
const { SCREENSHOTS_DIR } = process.env;

/** The pages that also have a narrow and a dark picture. */
const SHOWN_NARROW_AND_DARK = ['home', 'flow'];

let fixture: ConsoleFixture;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  [fixture, browser] = await Promise.all([startConsoleFixture(SCREENSHOTS_DIR === undefined ? 5 : 40), startBrowser()]);
  ({ page, complaints } = await openPage(browser, { viewport: WIDE }));
  context = page.context();
  if (SCREENSHOTS_DIR !== undefined) await mkdir(SCREENSHOTS_DIR, { recursive: true });
}, 5 * STEP_MS);
beforeEach(async () => {
  await forgetAll(page);
  complaints.length = 0;
}, STEP_MS);
afterAll(async () => {
  await browser?.close();
  await fixture?.stop();
});

async function pictures(name: string): Promise<void> {
  if (SCREENSHOTS_DIR === undefined) return;
  for (const [suffix, viewport, colorScheme] of [
    ['light', WIDE, 'light'],
    ['dark', WIDE, 'dark'],
    ['narrow', NARROW, 'light'],
    ['narrow-dark', NARROW, 'dark'],
  ] as const) {
    if (suffix !== 'light' && !SHOWN_NARROW_AND_DARK.includes(name)) continue;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${SCREENSHOTS_DIR}/${name}-${suffix}.png` });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

describe('every page of the console', () => {
  it('passes the accessibility rules, fits a phone and violates no policy', async () => {
    await signIn(page, fixture.service.url);
    const findings: Record<string, string[]> = {};
    for (const [name, path, title] of await consolePages(fixture)) {
      await page.setViewportSize(WIDE);
      await navigate(page, path);
      await settled(page, title);
      const found = await seriousFindings(page);
      await pictures(name);
      await page.setViewportSize(NARROW);
      await fitsWindow(page).catch(({ message }: Error) => found.push(message));
      if (found.length > 0) findings[name] = found;
    }
    expect(findings).toEqual({});
    expect(complaints).toEqual([]);
    await page.setViewportSize(WIDE);
    await navigate(page, '/nothing-here');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });
});

const link = (name: string) => page.getByRole('link', { name, exact: true }).first();
const edit = () => page.getByRole('button', { name: 'Edit', exact: true }).first();
const dialog = () => page.getByRole('dialog');

describe('a session in the console', () => {
  it('begins with the right secret only, and shows the requested page', async () => {
    await page.goto(`${fixture.service.url}/console/payments?status=completed`);
    await page.getByLabel('Client id').fill(BOOTSTRAP_CLIENT.id);
    await page.getByLabel('Client secret').fill('wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').getByText('The client id or the client secret is wrong').waitFor();
    // there was no session before
    expect(await page.getByText(/session has/).count()).toBe(0);
    await signInHere(page);
    await settled(page, 'Payments');
    expect(await page.getByLabel('Status').inputValue()).toBe('completed');
  });

  it('ends in every tab, and the next one sees none of its data', async () => {
    const { id, payment_session_id: session } = fixture.payments[0]!;
    const [one, other] = [page, await context.newPage()];
    await signIn(one, fixture.service.url, `/payments/${id}`);
    await one.getByText(session).first().waitFor();
    await other.goto(`${fixture.service.url}/console/payments`);
    const order = String(fixture.payments[0]!.metadata['order']);
    await other.getByText(order, { exact: true }).first().waitFor();
    await other.locator('.menu summary').click();
    await other.route(/\/console\/session$/, (route) => route.fulfill({ status: 502, body: 'no such host' }));
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByText('you may still be signed in').waitFor();
    await other.unrouteAll();
    await other.getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [other, one]) {
      await tab.getByLabel('Client id').waitFor();
      for (const text of [session, order]) expect(await tab.getByText(text, { exact: true }).count()).toBe(0);
    }
    expect(await context.cookies()).toEqual([]);
    await signInHere(other, await insertClient(fixture.database));
    await one.getByText('No such payment').waitFor();
    await other.getByText('No payments yet').waitFor();
    await other.close();
  });

  it('that ends during an action shows that nothing was changed', async () => {
    await signIn(page, fixture.service.url, `/shops/${fixture.shops[0]!.id}`);
    await edit().click();
    await dialog().getByLabel('Name').fill('never stored');
    await context.clearCookies();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your session has ended.').waitFor();
    await page.getByText('Your last change was not saved.').waitFor();
    await signInHere(page);
    await page.getByRole('heading', { level: 1, name: 'Berlin' }).waitFor();
  });

  it('with few scopes shows links only to the pages that it may read', async () => {
    const client = await insertClient(fixture.database, { merchantId: 1 }, ['shops:read']);
    await signIn(page, fixture.service.url, `/shops/${fixture.shops[0]!.id}`, client);
    await page.getByRole('heading', { name: 'Provider credentials' }).waitFor();
    expect(await page.locator('.shell-nav a').allInnerTexts()).toEqual(['To do', 'Shops', 'Developers']);
    const hidden = [
      'payments',
      'disputes',
      'approvals',
      'reports',
      'deliveries',
      'endpoints',
      'flows',
      'people',
      'audit',
      'open-work',
    ];
    for (const name of hidden) expect(await page.locator(`a[href^="/console/${name}"]`).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^(Check|Edit|Rotate secret|Change signing)$/ }).count()).toBe(0);
    for (const [path, right] of [
      ['/payments', 'the right to read payments'],
      ['/developers', 'the right to read deliveries'],
    ] as const) {
      await navigate(page, path);
      await page.locator('#content').getByText(right).first().waitFor();
    }
  });
});

describe('a page of the console', () => {
  it('says that the service does not answer, also when its files are missing, and is shown again afterwards', async () => {
    await signIn(page, fixture.service.url);
    await link('Audit').click();
    await settled(page, 'Audit');
    await page.route(/.*/, (route) => route.abort('connectionrefused'));
    for (const name of ['Shops', 'Payments']) {
      await link(name).click();
      await page.getByRole('alert').first().getByText('The service does not answer.').waitFor();
    }
    await page.unrouteAll();
    // the page also tries again by itself, and the button may be gone
    const again = page.getByRole('button', { name: 'Try again' }).first();
    await Promise.race([again.click().catch(() => undefined), settled(page, 'Payments')]);
    await settled(page, 'Payments');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('keeps the input of a dialog when the answer to the one before arrives, and returns the focus', async () => {
    const { id } = fixture.shops[1]!;
    await signIn(page, fixture.service.url, `/shops/${id}`);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(new RegExp(`/shops/${id}$`), async (route) => {
      if (route.request().method() === 'PATCH') await held;
      await route.continue();
    });
    await edit().click();
    await dialog().getByLabel('Name').fill('saved late');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await edit().and(page.locator(':focus')).waitFor();
    await edit().click();
    await dialog().getByLabel('Name').fill('typed later');
    release();
    // the page is behind the dialog
    await page.locator('h1', { hasText: 'saved late' }).waitFor();
    expect(await dialog().getByLabel('Name').inputValue()).toBe('typed later');
  });
});
