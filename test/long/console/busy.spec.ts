import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { fitsWindow, forgetAll, openPage, startBrowser, STEP_MS } from '../../support/browser/browser.js';
import { FAILED_WEBHOOKS, FLOWS, startBusyFixture } from '../../support/browser/busy-fixture.js';
import { navigate, seriousFindings, settled, signIn } from '../../support/browser/console.js';
import type { ConsoleFixture } from '../../support/browser/console-fixture.js';

const WIDE = { width: 1_280, height: 900 };
const NARROW = { width: 390, height: 844 };

let fixture: ConsoleFixture;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [fixture, browser] = await Promise.all([startBusyFixture(), startBrowser()]);
  ({ page } = await openPage(browser, { viewport: WIDE }));
}, 5 * STEP_MS);
beforeEach(async () => {
  await forgetAll(page);
  await page.setViewportSize(WIDE);
}, STEP_MS);
afterAll(async () => {
  await browser?.close();
  await fixture?.stop();
});

const open = async (path: string, title: string): Promise<void> => {
  await signIn(page, fixture.service.url, path);
  await settled(page, title);
};
const widthsOf = (selector: string): Promise<number[]> =>
  page.evaluate<number[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.offsetWidth)`);

describe('the console of a merchant with more of everything than fits on a page', () => {
  it('Home counts failed webhooks, warns about them and links to their list', async () => {
    await open('', 'To do');
    const tile = page.getByRole('link', { name: /Failed webhooks/ });
    expect(await tile.innerText()).toContain(String(FAILED_WEBHOOKS));
    await tile.getByRole('img', { name: 'needs attention' }).waitFor();
    // four attempts of one delivery count as one delivery
    await page.getByRole('heading', { name: /^Webhook delivery attempts/ }).waitFor();
    // the table of the curve has the same text for screen readers
    await page.getByText(/^[\d,]+ delivered, [\d,]+ to be retried, [\d,]+ failed permanently$/).waitFor();
    await tile.click();
    await page.waitForURL(/deliveries\?status=failed&from=/);
    await settled(page, 'Deliveries');
    expect(await page.getByRole('row').count()).toBe(51);
    await page.getByRole('button', { name: /Send all matches again/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${FAILED_WEBHOOKS} deliveries match`).waitFor();
    await dialog.getByText('The list may show more deliveries').waitFor();
  });

  it('Home shows a provider alarm until a person acknowledges it', async () => {
    const { id, provider_transaction_id: transaction, shop } = fixture.payments[0]!;
    await fixture.database.pool.query(
      `INSERT INTO provider_notifications (shop_id, provider, notification_id, provider_transaction_id, payment_id, status, data,
        outcome, reason, received_at)
        VALUES ($1, 'sandbox', 'of-the-alarm', $2, $3, 'completed', '{}', 'alarm', 'amount_differs', now())`,
      [shop.id, transaction, id],
    );
    await open('', 'To do');
    const tile = page.getByRole('link', { name: /Provider alarms/ });
    await tile.getByRole('img', { name: 'needs attention' }).waitFor();
    expect(await tile.innerText()).toMatch(/^1\b/m);
    await tile.click();
    await page.getByText('amount_differs').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Acknowledge …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge', exact: true }).click();
    await page.getByText('There are no open provider alarms.').waitFor();
  });

  it('Payments shows long names and the names of flows', async () => {
    await open('/payments', 'Payments');
    for (const title of ['Shop', 'Flow']) {
      const widths = await widthsOf(`td[data-title="${title}"]`);
      expect([title, Math.min(...widths) >= 170]).toEqual([title, true]);
    }
    const flows = await page.locator('td[data-title="Flow"]').allInnerTexts();
    expect(flows.filter((name) => /^(Flow )?\d+$/.test(name.trim()))).toEqual([]);
    const tooWide =
      'document.querySelector(".table-frame").scrollWidth - document.querySelector(".table-frame").clientWidth';
    expect(await page.evaluate<number>(tooWide)).toBe(0);
    await page.locator('td[data-title="Payment"] a').first().click();
    await page.getByText('Fallback shops').waitFor();
    expect(await page.locator('#content').innerText()).not.toMatch(/\bFlow \d+\b/);
  });

  it('Flows finds a flow by a part of its name and keeps the search in the address', async () => {
    await open('/flows', 'Flows');
    expect(await page.getByRole('row').count()).toBe(51);
    const search = page.getByLabel('Find flows');
    await search.fill('REGION-42');
    await page.keyboard.press('Enter');
    await page.waitForURL(/flows\?name=/);
    await page.getByRole('link', { name: 'checkout-of-region-42' }).waitFor();
    await expect2Rows();
    await search.fill('no such flow');
    await page.keyboard.press('Enter');
    await page.getByText('No flow name contains “no such flow”').waitFor();
    await navigate(page, '/shops?name=region%204');
    await page.getByRole('link', { name: 'Shop of the region 4' }).waitFor();
    await expect2Rows();
    expect(FLOWS).toBeGreaterThan(50);
  });

  it('each list with filters shows its rows on a narrow screen, and says how many filters are set', async () => {
    await page.setViewportSize(NARROW);
    await signIn(page, fixture.service.url, '/payments?status=completed');
    for (const [path, title, count] of [
      ['/payments?status=completed', 'Payments', 'Filters (1 set)'],
      ['/deliveries?status=failed', 'Deliveries', 'Filters (1 set)'],
      ['/audit', 'Audit', 'Filters'],
    ] as const) {
      await navigate(page, path);
      await settled(page, title);
      const top = (await page.locator('tbody tr').first().boundingBox())!.y;
      expect([path, top < NARROW.height / 2]).toEqual([path, true]);
      await page.getByText(count, { exact: true }).click();
      await page.getByLabel('From').or(page.getByLabel('Created from')).first().waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await fitsWindow(page);
      await page.getByText(count, { exact: true }).click();
    }
  });

  it('the audit log and the live events show the names of shops and flows', async () => {
    await open('/audit', 'Audit');
    await page.getByRole('link', { name: 'checkout-of-region-57' }).waitFor();
    await navigate(page, '/developers');
    await settled(page, 'Developers');
    const events = page.locator('.events summary');
    await events.first().waitFor();
    expect((await events.allInnerTexts()).filter((text) => /\bshop \d+/.test(text))).toEqual([]);
  });

  async function expect2Rows(): Promise<void> {
    await settled(page, await page.getByRole('heading', { level: 1 }).innerText());
    // the header row and the matching row
    expect(await page.getByRole('row').count()).toBe(2);
  }
});
