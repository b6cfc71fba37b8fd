import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { ApiClient } from '../../support/app/api-client.js';
import { Merchant, NOTIFICATION_SECRET, type PaymentAnswer } from '../../support/app/merchant.js';
import { type InProcessService, startServiceInProcess } from '../../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT } from '../../support/app/service.js';
import { fitsWindow, openPage, startBrowser, STEP_MS } from '../../support/browser/browser.js';
import { seriousFindings, signIn } from '../../support/browser/console.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { freePort } from '../../support/servers/free-port.mjs';

let database: TestDatabase;
let service: InProcessService;
let browser: Browser;
let page: Page;
let complaints: string[];
let merchant: Merchant;
let paid: PaymentAnswer;
let open: PaymentAnswer;
/** A session of two payments. */
let twins: PaymentAnswer[];

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceInProcess({ entry: 'all', databaseUrl: database.url });
  merchant = new Merchant(await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
  const soft = { notification_secret: NOTIFICATION_SECRET, simulate: 'tok_soft_decline' };
  const shops = [
    await merchant.createShop('Away', { provider_credentials: soft }),
    await merchant.createShop('متجر دبي'),
  ];
  await merchant.api.post('/flows', {
    name: 'checkout',
    strategy: 'priority',
    max_attempts: 2,
    shops: shops.map(({ id }, index) => ({ shop_id: id, priority: index + 1 })),
  });
  await merchant.createFlow('direct', [shops[1]!.id]);
  const metadata = { note: 'شكراً جزيلاً', nested: { list: [1] } };
  // nobody is there: its deliveries stay pending
  const webhook_endpoint = `http://127.0.0.1:${await freePort()}/hooks`;
  paid = await merchant.pay('checkout', { metadata, webhook_endpoint, customer: { reference: 'user-1' } });
  open = await merchant.pay('direct', { payment_method: { token: 'tok_pending' } });
  twins = [
    await merchant.pay('direct', { payment_session_id: 'twins' }),
    await merchant.pay('direct', { payment_session_id: 'twins', payment_method: { token: 'tok_decline' } }),
  ];
  browser = await startBrowser();
  ({ page, complaints } = await openPage(browser, { viewport: { width: 1280, height: 900 } }));
}, 5 * STEP_MS);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await database?.drop();
});

const heading = (text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor();
const row = ({ id }: PaymentAnswer) => page.getByRole('link', { name: String(id), exact: true });
const search = async (text: string): Promise<void> => {
  await page.keyboard.press('/');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
};

describe('payments in the console', () => {
  it(
    'are listed, found, explained and refunded',
    async () => {
      await signIn(page, service.url, '/payments');
      await heading('Payments');
      complaints.length = 0; // the first look for a session is answered with 401

      // filters are in the address
      await page.getByLabel('Status').selectOption('failed');
      await page.waitForURL(/status=failed/);
      await row(twins[1]!).waitFor();
      await row(paid).waitFor({ state: 'detached' });
      expect(await seriousFindings(page)).toEqual([]);

      // several payments of a session lead to their list, one to its page
      await search('twins');
      await page.waitForURL(/payment_session_id=twins/);
      await row(twins[0]!).waitFor();
      await search(paid.provider_transaction_id);
      await heading(`Payment ${paid.id}`);

      // the story: two attempts, webhooks, the decision, text from right to left
      await page.getByText('Attempt 1 with Away ended').waitFor();
      await page.getByText('Attempt 2 with متجر دبي ended').waitFor();
      await page.getByRole('link', { name: 'Webhook: payment is completed' }).waitFor();
      await page.getByText('Away: the shop of the lowest priority number, 1.').waitFor();
      await page.getByText('شكراً جزيلاً').waitFor();
      expect(await seriousFindings(page)).toEqual([]);

      // a refund says what it does, and does it
      expect(await page.getByRole('button', { name: 'Cancel', exact: true }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Refund', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('partial refunds are not supported').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await dialog.getByLabel('Reason').fill('Customer returned the goods');
      await dialog.getByRole('button', { name: /^Refund EUR/ }).click();
      await page.getByText('The payment is refunded now.').waitFor();
      await page.getByText('Status: completed → refunded').waitFor();
      expect(complaints).toEqual([]);

      // a delivery that arrives is no event, and is seen all the same
      await page.route(/\/deliveries\?/, async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { data: { status: string }[] };
        await route.fulfill({
          response,
          json: { ...body, data: body.data.map((each) => ({ ...each, status: 'delivered' })) },
        });
      });
      await page.getByText('The receiver answered 2xx.').first().waitFor();

      // what happens elsewhere is seen without a reload
      await page.goto(`${service.url}/console/payments/${open.id}`);
      await page.getByText('Status: pending → processing').waitFor();
      await merchant.notify(open, { id: 'evt_1', status: 'completed' });
      await page.getByText('sandbox notified: completed').waitFor();
      expect(complaints).toEqual([]);
    },
    10 * STEP_MS,
  );

  it(
    'are readable on a narrow, dark screen, and say what a refusal is',
    async () => {
      await page.unrouteAll();
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.goto(`${service.url}/console/payments/${paid.id}`);
      await page.setViewportSize({ width: 390, height: 800 });
      await page.getByText('Attempt 2 with متجر دبي ended').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await fitsWindow(page);
      // a client has few streams: a tab that gets none is up to date, too
      await page.route(/\/events$/, (route) => route.fulfill({ status: 429, body: '' }));
      await page.goto(`${service.url}/console/payments`);
      await row(paid).waitFor();
      await fitsWindow(page);
      await row(await merchant.pay('direct')).waitFor();
      await page.goto(`${service.url}/console/payments/987654321`);
      await page.getByText('payment_not_found').waitFor();
    },
    10 * STEP_MS,
  );
});
