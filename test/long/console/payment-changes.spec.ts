import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { SCOPES } from '../../../src/access/scopes.js';
import { insertClient } from '../../support/app/insert-client.js';
import { dataOf, type Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { BOOTSTRAP_CLIENT } from '../../support/app/service.js';
import { fitsWindow, forgetAll, STEP_MS } from '../../support/browser/browser.js';
import { seriousFindings, signIn } from '../../support/browser/console.js';
import { type ConsoleApp, startConsoleApp } from '../../support/browser/console-app.js';
import { stopOperations } from '../../support/operation-work.js';

interface RefundAnswer {
  id: number;
  amount: number;
  status: string;
  provider_refund_id: string;
}

let app: ConsoleApp;
let page: Page;
let merchant: Merchant;

beforeAll(async () => {
  app = await startConsoleApp({ env: { PROVIDER_TIMEOUT_MS: '1000' } });
  ({ page, merchant } = app);
  const shop = await merchant.createShop('متجر دبي');
  await merchant.createFlow('checkout', [shop.id]);
}, 5 * STEP_MS);
beforeEach(async () => {
  await forgetAll(page);
  await page.setViewportSize({ width: 1_280, height: 900 });
}, STEP_MS);
afterAll(() => app?.stop());

const dialog = () => page.getByRole('dialog');
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });
const fact = (name: string) => page.locator('main .facts').first().locator('div', { hasText: name }).locator('dd');
const refundsOf = async ({ id }: { id: number }): Promise<RefundAnswer[]> =>
  dataOf(await merchant.api.get(`/payments/${id}/refunds`));

/** The console is 390 px wide without an overflow, and accessible, with an open dialog as well. */
async function isFit(): Promise<void> {
  expect(await seriousFindings(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 900 });
  await fitsWindow(page);
  await page.setViewportSize({ width: 1_280, height: 900 });
}

const open = ({ id }: { id: number }, client = BOOTSTRAP_CLIENT) =>
  signIn(page, app.service.url, `/payments/${id}`, client);

describe('a capture in the console', () => {
  it('that the provider refuses says why, and the payment can be cancelled', async () => {
    const payment = await merchant.pay('checkout', {
      capture: 'manual',
      payment_method: { token: 'tok_capture_refused' },
    });
    await open(payment);
    await button('Capture').click();
    await button(/^Capture EUR/, dialog()).click();
    await dialog().getByRole('alert').getByText('provider_unconfirmed').waitFor();
    await button('Cancel', dialog()).click();
    await button('Cancel').click();
    await button('Close', dialog()).and(page.locator(':focus')).waitFor();
    await button(/^Cancel payment/, dialog()).click();
    await page.getByText('The payment is now cancelled.').waitFor();
  });
});

describe('a refund in the console', () => {
  it('that fails says so, at once and late', async () => {
    const refused = await merchant.pay('checkout', { payment_method: { token: 'tok_refund_refused' } });
    await open(refused);
    await button('Refund').click();
    await button(/^Refund EUR/, dialog()).click();
    await page.getByText(/has failed.*can be refunded again/).waitFor();

    const late = await merchant.pay('checkout', { amount: 50 });
    await merchant.api.post(`/payments/${late.id}/refunds`, { amount: 50 });
    const [refund] = await refundsOf(late);
    await page.goto(`${app.service.url}/console/payments/${late.id}`);
    await page.getByText('Refund of EUR 50.00 succeeded').waitFor();
    const failure = { id: 'late-failure', status: 'refund_failed', operation_id: refund!.provider_refund_id };
    expect(await merchant.notify(late, failure)).toMatchObject({ status: 200 });
    await page.getByText('Refund of EUR 50.00 failed').waitFor();
    await page.getByText('Status: refunded → completed').waitFor();
    await page.getByText('A refund failed after the provider had reported its success.').waitFor();
  });

  it('of a payment with more refunds than fit on a page shows all of them', async () => {
    const payment = await merchant.pay('checkout', { amount: 60 });
    for (let count = 0; count < 52; count++)
      dataOf(await merchant.api.post(`/payments/${payment.id}/refunds`, { amount: 1 }));
    await open(payment);
    const rows = page.getByRole('table', { name: 'Refunds, newest first' }).getByRole('row');
    await button('Show more').click();
    await rows.nth(52).waitFor();
    expect(await rows.count()).toBe(53);
  });
});

/** A payment whose charge was never answered, and which the service no longer asks about. */
async function stopped(): Promise<PaymentAnswer> {
  const payment = await merchant.pay('checkout', { payment_method: { token: 'tok_timeout' } });
  await app.database.pool.query(stopOperations('payment_id = $1'), [payment.id]);
  return payment;
}

/** Settles the only operation of the payment with the API. */
async function settle({ id }: PaymentAnswer): Promise<void> {
  const [operation] = dataOf<{ id: number }[]>(await merchant.api.get(`/payments/${id}/operations`));
  const body = { outcome: 'not_captured', reason: 'not there' };
  dataOf(await merchant.api.post(`/payments/${id}/operations/${operation!.id}/settle`, body));
}

describe('an operation that a person must settle', () => {
  it('that another person settles meanwhile is reported as closed', async () => {
    const payment = await stopped();
    await open(payment);
    await button('Settle …').click();
    await dialog().getByLabel('Outcome at the provider').selectOption('not_captured');
    await dialog().getByLabel('Reason').fill('The dashboard does not show it');
    await settle(payment);
    await button('Settle', dialog()).click();
    await dialog().getByText('operation_closed').waitFor();
    await button('Cancel', dialog()).click();
    await page.getByText('Status: processing → failed').waitFor();
  });

  it('the page lets only a client with the scope settle it', async () => {
    const payment = await stopped();
    const few = SCOPES.filter((scope) => scope !== 'payments:settle' && scope !== 'audit:read');
    await open(payment, await insertClient(app.database, { merchantId: 1 }, few));
    await page.getByText('the right to settle operations').waitFor();
    expect(await button('Settle …').count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);

    // and only a client with another scope sees who has settled it
    const unseen = page.getByText('The person who settled an operation is not shown.');
    expect(await unseen.count()).toBe(0);
    await settle(payment);
    await page.reload();
    await unseen.filter({ hasText: 'the right to read the audit log' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });
});

const DAY_MS = 86_400_000;
let disputes = 0;

/** Reports a dispute of the payment like the sandbox. Returns the provider's id. */
async function dispute(payment: PaymentAnswer, fields: Record<string, unknown> = {}): Promise<string> {
  const id = `dp_${(disputes += 1)}`;
  const reported = { id, kind: 'chargeback', status: 'open', amount: 10, currency: 'EUR', ...fields };
  const notification = { id: `evt_${id}_${disputes}`, status: 'disputed', dispute: reported };
  expect(await merchant.notify(payment, notification)).toMatchObject({ status: 200 });
  return id;
}
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS + 60_000).toISOString();

describe('disputes in the console', () => {
  it('the page lists and filters them, updates itself, and leads to their payment', async () => {
    const payment = await merchant.pay('checkout', { amount: 50 });
    await signIn(page, app.service.url, '/disputes');
    await page.getByRole('heading', { name: 'No disputes yet' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    // new disputes appear without a reload
    const due = await dispute(payment, { evidence_due_by: inDays(2), reason_code: 'fraudulent' });
    const row = (id: string) => page.getByRole('row', { name: new RegExp(`\\b${id}\\b`) });
    await row(due).getByText('in 2 days').waitFor();
    const overdue = await dispute(payment, { evidence_due_by: inDays(-1) });
    const won = await dispute(payment, { status: 'won' });
    await row(overdue).getByText('overdue').waitFor();
    await row(won).getByText('won').waitFor();
    await page.setViewportSize({ width: 390, height: 900 });
    await fitsWindow(page);
    await page.setViewportSize({ width: 1_280, height: 900 });

    await page.getByLabel('Status').selectOption('won');
    await row(due).waitFor({ state: 'detached' });
    await row(won).waitFor();
    await page.waitForURL(/status=won/);
    await page.getByLabel('Evidence due before').fill('2030-01-01T00:00');
    await page.getByLabel('Evidence due before').blur();
    await page.getByRole('heading', { name: 'No dispute matches' }).waitFor();
    await button('Show all disputes').click();
    await button('Due soon').click();
    await row(won).waitFor({ state: 'detached' });
    await row(overdue).waitFor();

    await row(due)
      .getByRole('link', { name: String(payment.id) })
      .click();
    await fact('Disputed').getByText('EUR 20.00').waitFor();
    await page.getByRole('table', { name: 'Disputes' }).getByText('in 2 days').waitFor();
    await page.getByText('Dispute of EUR 10.00 opened').first().waitFor();
    await page.getByText('Dispute is won').waitFor();
    await isFit();

    await page.goto(`${app.service.url}/console`);
    const lines = page.getByRole('region', { name: 'To do', exact: true }).getByRole('listitem');
    const line = (text: string) => lines.filter({ hasText: text });
    await line('1 dispute needs evidence within 7 days').getByText('in 2 days').waitFor();
    await line('1 dispute is overdue')
      .getByText(/^for 2[34] hours$/)
      .waitFor();
    await line('1 dispute is overdue').getByRole('link', { name: 'See disputes' }).click();
    await page.waitForURL(/disputes\?due_before=/);
    await row(overdue).waitFor();
    expect(await row(due).count()).toBe(0);
    await page.goto(`${app.service.url}/console/open-work`);
    await page.getByRole('table', { name: 'Disputes with evidence due' }).getByText('overdue').waitFor();
    await isFit();
  });

  it('the page has a second page, and links to the dashboard of a provider that has one', async () => {
    const payment = await merchant.pay('checkout', { amount: 60 });
    for (let count = 0; count < 52; count++) await dispute(payment, { amount: 1 });
    await app.database.pool.query(`UPDATE disputes SET provider = 'stripe' WHERE payment_id = $1`, [payment.id]);
    await signIn(page, app.service.url, '/disputes?status=open');
    const link = page.getByRole('link', { name: 'Stripe dashboard' }).first();
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/dashboard\.stripe\.com\/disputes\/dp_\d+$/);
    await button('Show more').click();
    await page.getByRole('row').nth(53).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('the browser reports no errors', () => {
    // without a sign-in, a page first asks for the session and gets a 401; the tests lose answers and get refusals
    const expected = /status of (401|409|422)|ERR_FAILED/;
    expect(app.complaints.filter((text) => !expected.test(text))).toEqual([]);
  });
});
