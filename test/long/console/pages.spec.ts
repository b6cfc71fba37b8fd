import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { fitsWindow, openPage, startBrowser, STEP_MS } from '../../support/browser/browser.js';
import { navigate, seriousFindings, settled, signIn } from '../../support/browser/console.js';
import { type ConsoleFixture, startConsoleFixture } from '../../support/browser/console-fixture.js';
import { consolePages, NARROW, WIDE } from '../../support/browser/console-pages.js';
import { insertClient } from '../../support/app/insert-client.js';
import { eventually } from '../../support/eventually.js';

let fixture: ConsoleFixture;
let browser: Browser;

beforeAll(async () => {
  fixture = await startConsoleFixture();
  browser = await startBrowser();
}, 5 * STEP_MS);
afterAll(async () => {
  await browser?.close();
  await fixture?.stop();
});

/** The rules of axe-core that depend on colors; the others are checked in light colors, by test/e2e/console/pages.spec.ts. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
/** The narrowest is that of a window of 1,280 px at four times its size (WCAG 2.2, 1.4.10). */
const WINDOWS = [WIDE, { width: 768, height: 1_024 }, NARROW, { width: 320, height: 256 }];

describe('every page of the console with more payments than fit in the window', () => {
  it('passes the accessibility rules in dark colors and fits windows of all sizes', async () => {
    const { page, complaints } = await openPage(browser, { viewport: WIDE });
    await page.emulateMedia({ colorScheme: 'dark' });
    await signIn(page, fixture.service.url);
    const findings: Record<string, string[]> = {};
    for (const [name, path, title] of await consolePages(fixture)) {
      await navigate(page, path);
      await settled(page, title);
      const found: string[] = [];
      for (const viewport of WINDOWS) {
        await page.setViewportSize(viewport);
        await fitsWindow(page).catch(({ message }: Error) => found.push(message));
        // a table becomes a list in a narrow window
        if (viewport === WIDE || viewport === NARROW) found.push(...(await seriousFindings(page, COLOR_RULES)));
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
