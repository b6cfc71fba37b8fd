import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { dataOf, type Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { fitsWindow, STEP_MS } from '../../support/browser/browser.js';
import { navigate, seriousFindings, signIn } from '../../support/browser/console.js';
import { type ConsoleApp, startConsoleApp } from '../../support/browser/console-app.js';

const PAYMENTS = 12;

let app: ConsoleApp;
let merchant: Merchant;
let page: Page;
let flow: { id: number };
let declined: PaymentAnswer;

beforeAll(async () => {
  app = await startConsoleApp({ entry: 'api', viewport: { width: 1440, height: 1200 } });
  ({ merchant, page } = app);
  const { id: shop } = await merchant.createShop('Berlin');
  const use = { shops: [shop], strategy: 'round_robin' };
  flow = dataOf(
    await merchant.api.post('/flows', {
      name: 'guarded',
      strategy: 'rules',
      shops: [{ shop_id: shop }],
      rules: [
        { when: { country: { equals: 'US' } }, decline: { code: 'blocked_country', message: 'Not in this country.' } },
        { when: { 'metadata.teir': { equals: 'gold' } }, use },
      ],
      default: use,
    }),
  );
  for (let made = 0; made < PAYMENTS; made++)
    declined = await merchant.pay('guarded', { country: made < 5 ? 'DE' : 'US' });
  await signIn(page, app.service.url, `/flows/${flow.id}`);
}, 5 * STEP_MS);
afterAll(() => app?.stop());

const rules = (): Locator => page.getByRole('list', { name: 'Rules, in order' }).locator(':scope > li');
const shows = (locator: Locator, text: string | RegExp): Promise<void> =>
  locator.filter({ hasText: text }).first().waitFor();

async function looksGood(): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await seriousFindings(page)).toEqual([]);
  }
}

describe('the rules of a flow in the console', () => {
  it('show their hits, the payments that pass their tests, and warnings', async () => {
    await shows(rules().nth(0), 'Decided 7 payments in 24 hours, 7 in 30 days. Of the newest 12 payments: country 7');
    await shows(rules().nth(1), 'unknown_metadata');
    await shows(rules().nth(1), 'none of the last 12 payments had metadata.teir');
    await shows(page.getByRole('region', { name: 'Default', exact: true }), 'Decided 5 payments in 24 hours');
    await looksGood();
  });

  it('keep their hits when they are moved, and lose them when they are edited', async () => {
    await page.getByRole('button', { name: 'Move Rule 1 down' }).click();
    await shows(rules().nth(1), 'Decided 7 payments in 24 hours');
    await rules().nth(1).getByLabel('Decline code').fill('not_sold_here');
    await expect(rules().nth(1).getByText('Decided').count()).resolves.toBe(0);
    await page.getByRole('button', { name: 'Discard changes' }).click();
  });

  it('end in a decline, which the simulator shows', async () => {
    const second = rules().nth(1);
    await second.getByLabel('Payments that match').selectOption('decline');
    await second.getByLabel('Decline code').fill('No Gold');
    await shows(second.locator('.field-error'), /match/);
    await second.getByLabel('Decline code').fill('no_gold');
    await second.getByLabel('Message').fill('No gold today.');
    await page
      .getByRole('region', { name: 'Simulator', exact: true })
      .getByLabel('Country', { exact: true })
      .fill('US');
    await shows(page.locator('.pick'), 'Declined with blocked_country: Not in this country.');
    await looksGood();
    await page.setViewportSize({ width: 390, height: 844 });
    await fitsWindow(page);
    await page.setViewportSize({ width: 1440, height: 1200 });
    await page.getByRole('button', { name: 'Discard changes' }).click();
  });

  it('explain a declined payment on its page', async () => {
    await navigate(page, `/payments/${declined.id}`);
    await shows(page.getByText('Flow guarded declined the payment.'), 'declined');
    await shows(page.getByText('A rule of the flow declined the payment. No shop was asked.'), 'rule');
    await page.getByText('Declined by a rule of the flow, with the code blocked_country.').waitFor();
    await looksGood();
  });
});
