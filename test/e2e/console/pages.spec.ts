import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { fitsWindow, openPage, startBrowser, STEP_MS } from '../../support/browser/browser.js';
import { navigate, seriousFindings, settled, signIn } from '../../support/browser/console.js';
import { type ConsoleFixture, startConsoleFixture } from '../../support/browser/console-fixture.js';
import { insertClient } from '../../support/app/insert-client.js';
import { eventually } from '../../support/eventually.js';

/** The folder for pictures of the pages, if there is one: `npm run docs:screenshots`. */
const { SCREENSHOTS_DIR } = process.env;

/** The pages that also have a narrow and a dark picture. */
const SHOWN_NARROW_AND_DARK = ['home', 'flow'];

let fixture: ConsoleFixture;
let browser: Browser;

beforeAll(async () => {
  fixture = await startConsoleFixture();
  browser = await startBrowser();
  if (SCREENSHOTS_DIR !== undefined) await mkdir(SCREENSHOTS_DIR, { recursive: true });
}, 5 * STEP_MS);
afterAll(async () => {
  await browser?.close();
  await fixture?.stop();
});

/** Every page, by the name of its picture. */
async function paths(): Promise<[name: string, path: string, title: string][]> {
  const { flow, shops, payments, api } = fixture;
  const failed = payments[3]!;
  const { body } = await api.get<{ data: { id: string }[] }>(
    `/webhooks/shop/${failed.shop.id}/deliveries?payment_id=${failed.id}`,
  );
  return [
    ['home', '', 'Home'],
    ['open-work', '/open-work', 'Open work'],
    ['payments', '/payments', 'Payments'],
    ['payment', `/payments/${payments[0]!.id}`, `Payment ${payments[0]!.id}`],
    ['disputes', '/disputes', 'Disputes'],
    ['approvals', `/approvals?cell=${shops[0]!.id}`, 'Approvals'],
    ['deliveries', '/deliveries?status=failed', 'Deliveries'],
    ['delivery', `/deliveries/${body.data[0]!.id}`, `Delivery ${body.data[0]!.id}`],
    ['endpoints', '/endpoints', 'Endpoints'],
    ['flows', '/flows', 'Flows'],
    ['flow', `/flows/${flow.id}`, flow.name],
    ['shops', '/shops', 'Shops'],
    ['shop', `/shops/${shops[2]!.id}`, shops[2]!.name],
    ['developers', '/developers', 'Developers'],
    ['audit', '/audit', 'Audit'],
  ];
}

const WIDE = { width: 1_280, height: 900 };
const NARROW = { width: 390, height: 900 };

async function picture(page: Page, name: string, scheme: string): Promise<void> {
  if (SCREENSHOTS_DIR === undefined || (scheme !== 'light' && !SHOWN_NARROW_AND_DARK.includes(name))) return;
  await page.screenshot({ path: `${SCREENSHOTS_DIR}/${name}-${scheme}.png` });
}

const COLOR_SCHEMES = ['light', 'dark'] as const;

/**
 * The rules of axe-core per color scheme. The structure of a page does not depend on its colors, so dark needs only two
 * rules.
 */
const RULES = { light: undefined, dark: ['color-contrast', 'link-in-text-block'] };

describe('every page of the console, light and dark', () => {
  it('passes the accessibility rules, fits wide and narrow windows and violates no policy', async () => {
    const { page, complaints } = await openPage(browser, { viewport: WIDE });
    await signIn(page, fixture.service.url);
    complaints.length = 0; // before the sign-in the session request is refused
    const findings: Record<string, string[]> = {};
    for (const [name, path, title] of await paths()) {
      await page.setViewportSize(WIDE);
      await page.emulateMedia({ colorScheme: 'light' });
      await navigate(page, path);
      await settled(page, title);
      const found: string[] = [];
      for (const scheme of COLOR_SCHEMES) {
        await page.emulateMedia({ colorScheme: scheme });
        found.push(...(await seriousFindings(page, RULES[scheme])).map((finding) => `${scheme}: ${finding}`));
        await picture(page, name, scheme);
      }
      await page.setViewportSize(NARROW);
      for (const scheme of COLOR_SCHEMES) {
        await page.emulateMedia({ colorScheme: scheme });
        await picture(page, name, scheme === 'light' ? 'narrow' : 'narrow-dark');
        await fitsWindow(page).catch(({ message }: Error) => found.push(`${scheme}: ${message}`));
      }
      if (found.length > 0) findings[name] = found;
    }
    expect(findings).toEqual({});
    expect(complaints).toEqual([]);
    await page.close();
  });
});

describe('the page of approvals', () => {
  it('shows which kinds of cards fell, and leads to the payments behind a cell', async () => {
    const { page, complaints } = await openPage(browser, { viewport: WIDE });
    await signIn(page, fixture.service.url, '/approvals');
    complaints.length = 0;
    const map = page.getByRole('table', { name: /were approved/ });
    const cell = (name: string) => map.getByRole('button', { name: `${name} at ${fixture.shops[0]!.name}` });
    // Maestro has more declines since a day ago
    expect(await cell('maestro').locator('strong').innerText()).toMatch(/▼ -\d/);
    expect(await cell('visa').locator('strong').count()).toBe(0);

    await page.getByLabel('Order', { exact: true }).selectOption('Largest change first');
    await page.waitForURL(/order=change/);
    await eventually(async () => expect(await map.locator('tbody th').first().innerText()).toBe('maestro'));
    await page.getByLabel('And by').selectOption('Country');
    await cell('maestro, DE').waitFor();

    await page.getByLabel('And by').selectOption('Nothing else');
    await cell('unknown').focus();
    await page.keyboard.press('Enter');
    const behind = page.getByRole('table', { name: 'Payments behind the cell' });
    await behind.getByText('approved').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await behind.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Decision' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Close' }).click();
    await eventually(async () => expect(await behind.count()).toBe(0));
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('says when there is nothing to show', async () => {
    const client = await insertClient(fixture.database);
    const { page } = await openPage(browser, { viewport: NARROW });
    await signIn(page, fixture.service.url, '/approvals', client);
    await page.getByText('No attempts in this period').waitFor();
    await page.close();
  });
});
