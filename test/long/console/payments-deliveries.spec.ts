import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ApiClient } from '../../support/app/api-client.js';
import { insertClient } from '../../support/app/insert-client.js';
import { dataOf, Merchant, NOTIFICATION_SECRET, type PaymentAnswer } from '../../support/app/merchant.js';
import { fitsWindow, forgetAll, STEP_MS } from '../../support/browser/browser.js';
import { seriousFindings, signIn } from '../../support/browser/console.js';
import { type ConsoleApp, startConsoleApp } from '../../support/browser/console-app.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/servers/free-port.mjs';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

interface Listed {
  id: number;
  status: string;
}

let app: ConsoleApp;
let page: Page;
let complaints: string[];
let merchant: Merchant;
let paid: PaymentAnswer;
let open: PaymentAnswer;
/** Two payments of one session. */
let twins: PaymentAnswer[];

beforeAll(async () => {
  // requests are counted, and a busy machine must not cause a second one
  app = await startConsoleApp({ env: { WEBHOOK_TIMEOUT_MS: '60000' } });
  ({ page, complaints, merchant } = app);
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
  // nothing listens on this port: the deliveries stay pending
  const webhook_endpoint = `http://127.0.0.1:${await freePort()}/hooks`;
  const method = {
    type: 'card',
    options: [{ provider: 'sandbox', token: 'tok_success' }],
    card: { scheme: 'visa', bin: '411111', last4: '1111' },
  };
  paid = await merchant.pay('checkout', {
    metadata,
    webhook_endpoint,
    customer: { reference: 'user-1' },
    payment_method: method,
  });
  open = await merchant.pay('direct', { payment_method: { token: 'tok_pending' } });
  twins = [
    await merchant.pay('direct', { payment_session_id: 'twins' }),
    await merchant.pay('direct', { payment_session_id: 'twins', payment_method: { token: 'tok_decline' } }),
  ];
}, 5 * STEP_MS);
afterAll(() => app?.stop());

const heading = (text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor();
const row = ({ id }: PaymentAnswer) => page.getByRole('link', { name: String(id), exact: true });
const search = async (text: string): Promise<void> => {
  await page.keyboard.press('/');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
};

describe('payments in the console', () => {
  it('appear in the list and the search, and their page explains and refunds them', async () => {
    await signIn(page, app.service.url, '/payments');
    await heading('Payments');

    // filters are in the address
    await page.getByLabel('Status').selectOption('failed');
    await page.waitForURL(/status=failed/);
    await row(twins[1]!).waitFor();
    await row(paid).waitFor({ state: 'detached' });

    // several payments of a session lead to their list, a single one to its page
    await search('twins');
    await page.getByRole('option', { name: 'All payments with twins' }).waitFor();
    expect(await page.getByRole('listbox', { name: 'Matches' }).getByRole('option').count()).toBe(3);
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(/payment_session_id=twins/);
    await row(twins[0]!).waitFor();
    await search(paid.provider_transaction_id);
    await heading(`Payment ${paid.id}`);

    // an empty search offers the objects that were opened last
    await page.keyboard.press('/');
    const recent = page.getByRole('option', { name: `Payment ${paid.id}` });
    await recent.waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await recent.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Escape');
    await recent.waitFor({ state: 'detached' });

    // the history: two attempts, webhooks, the decision, text from right to left
    await page.getByText('Attempt 1 with Away ended').waitFor();
    await page.getByText('Attempt 2 with متجر دبي ended').waitFor();
    await page.getByRole('link', { name: 'Webhook: payment is completed' }).waitFor();
    await page.getByText('Away: the shop with the lowest priority number, 1.').waitFor();
    await page.getByText('شكراً جزيلاً').waitFor();
    await page.getByText('visa 411111 •••• 1111').waitFor();
    await page.getByText('sandbox (any account)').waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    // the dialog says what a refund does, and the refund succeeds
    expect(await page.getByRole('button', { name: 'Cancel', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('to refund the amount').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByLabel('Reason').fill('Customer returned the goods');
    await dialog.getByRole('button', { name: /^Refund EUR/ }).click();
    await page.getByText('has succeeded.').waitFor();
    await page.getByText('Status: completed → refunded').waitFor();
    expect(complaints).toEqual([]);

    // the arrival of a delivery is no event, and the page shows it anyway
    await page.route(/\/deliveries\?/, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { status: string }[] };
      await route.fulfill({
        response,
        json: { ...body, data: body.data.map((each) => ({ ...each, status: 'delivered' })) },
      });
    });
    await page.getByText('The receiver answered 2xx.').first().waitFor();

    // the page shows changes by other clients without a reload
    await page.goto(`${app.service.url}/console/payments/${open.id}`);
    await page.getByText('Status: pending → processing').waitFor();
    await merchant.notify(open, { id: 'evt_1', status: 'completed' });
    await page.getByText('sandbox notified: completed').waitFor();
    expect(complaints).toEqual([]);
  });

  it('fit on a narrow, dark screen, and the page explains a refusal', async () => {
    await page.unrouteAll();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${app.service.url}/console/payments/${paid.id}`);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByText('Attempt 2 with متجر دبي ended').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await fitsWindow(page);
    // the number of streams per client is limited: a tab without a stream is up to date, too
    await page.route(/\/events$/, (route) => route.fulfill({ status: 429, body: '' }));
    await page.goto(`${app.service.url}/console/payments`);
    await row(paid).waitFor();
    await fitsWindow(page);
    await row(await merchant.pay('direct')).waitFor();
    await page.goto(`${app.service.url}/console/payments/987654321`);
    await page.getByText('payment_not_found').waitFor();
  });
});

/** A client of another merchant with failed deliveries. */
const OTHER = { id: 'another', secret: 'another secret' };
let client: ApiClient;
let receiver: Receiver;

const deliveries = async (status: string): Promise<Listed[]> =>
  dataOf<Listed[]>(await client.get(`/webhooks/deliveries?status=${status}`));
const failed = (): Promise<Listed[]> => deliveries('failed');

async function failFour(): Promise<void> {
  const merchant = new Merchant(client);
  const shop = await merchant.createShop('متجر دبي للإلكترونيات');
  const flow = await merchant.createFlow('checkout', [shop.id]);
  for (let payments = 0; payments < 2; payments++)
    await merchant.pay(flow.name, { webhook_endpoint: `${receiver.url}/hooks` });
  await eventually(async () => expect(await failed()).toHaveLength(4));
}

const button = (name: string | RegExp) => page.getByRole('button', { name });
const dialog = () => page.getByRole('dialog');

describe('deliveries in the console', () => {
  beforeAll(async () => {
    // 410 ends a delivery at its first attempt
    receiver = await startReceiver({ status: 410, body: 'gone' });
    await insertClient(app.database, OTHER);
    client = await ApiClient.login(app.service.url, OTHER.id, OTHER.secret);
    await failFour();
    await forgetAll(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 720 });
    complaints.length = 0;
  }, 5 * STEP_MS);
  afterAll(() => receiver?.stop());

  it('the list sends all matches again, and the audit log says so', async () => {
    receiver.respondWith(200);
    dataOf(await client.post(`/webhooks/deliveries/${(await failed())[0]!.id}/retry`));
    await signIn(page, app.service.url, '/deliveries?status=failed', OTHER);
    await sendsAllAgain();
    await audited();
    await fits();
    expect(complaints).toEqual([]);
  });
});

async function sendsAllAgain(): Promise<void> {
  await button('Send all matches again …').click();
  await dialog().getByText('3 deliveries match').waitFor();
  await dialog().getByRole('button', { name: 'Send 3 again' }).click();
  await page.getByText('Queued again: 3 failed deliveries of all shops').waitFor();
  await page.getByRole('heading', { name: 'No delivery matches' }).waitFor();
  await eventually(async () => expect(await deliveries('delivered')).toHaveLength(4));
}

async function audited(): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('cell', { name: 'Filtered deliveries sent again' }).waitFor();
  await page.getByLabel('Object', { exact: true }).selectOption('delivery');
  await button('Download 1 as CSV').click({ trial: true });
  const [download] = await Promise.all([page.waitForEvent('download'), button('Download 1 as CSV').click()]);
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv).toContain(`,delivery.retried,delivery,`);
}

async function fits(): Promise<void> {
  await page.setViewportSize({ width: 390, height: 800 });
  for (const path of ['/audit', '/deliveries', `/deliveries/${(await deliveries('delivered'))[0]!.id}`]) {
    await page.goto(`${app.service.url}/console${path}`);
    await page.getByRole('table').first().waitFor();
    await fitsWindow(page);
  }
}
