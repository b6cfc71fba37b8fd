import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import { SCOPES } from '../../../src/access/scopes.js';
import { ApiClient } from '../../support/app/api-client.js';
import { insertClient } from '../../support/app/insert-client.js';
import { type InProcessService, startServiceInProcess } from '../../support/app/in-process-service.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { BOOTSTRAP_CLIENT } from '../../support/app/service.js';
import { fitsWindow, forgetAll, openPage, startBrowser, STEP_MS } from '../../support/browser/browser.js';
import { seriousFindings, signIn } from '../../support/browser/console.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

interface RefundAnswer {
  id: number;
  amount: number;
  status: string;
  provider_refund_id: string;
}

let database: TestDatabase;
let service: InProcessService;
let browser: Browser;
let page: Page;
let complaints: string[];
let merchant: Merchant;

beforeAll(async () => {
  database = await createTestDatabase();
  const env = { PROVIDER_TIMEOUT_MS: '1000' };
  service = await startServiceInProcess({ entry: 'all', databaseUrl: database.url, env });
  merchant = new Merchant(await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
  const shop = await merchant.createShop('متجر دبي');
  await merchant.createFlow('checkout', [shop.id]);
  browser = await startBrowser();
  ({ page, complaints } = await openPage(browser, { viewport: { width: 1_280, height: 900 } }));
}, 5 * STEP_MS);
beforeEach(async () => {
  await forgetAll(page);
  await page.setViewportSize({ width: 1_280, height: 900 });
}, STEP_MS);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await database?.drop();
});

const dialog = () => page.getByRole('dialog');
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });
const fact = (name: string) => page.locator('main .facts').first().locator('div', { hasText: name }).locator('dd');
const refundsOf = async ({ id }: { id: number }): Promise<RefundAnswer[]> =>
  dataOf(await merchant.api.get(`/payments/${id}/refunds`));

/** Waits until the focus is on Cancel: Enter or Space change nothing then. */
const focusIsOnCancel = () => button('Cancel', dialog()).and(page.locator(':focus')).waitFor();

/** The console is 390 px wide without an overflow, and accessible, with an open dialog as well. */
async function isFit(): Promise<void> {
  expect(await seriousFindings(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 900 });
  await fitsWindow(page);
  await page.setViewportSize({ width: 1_280, height: 900 });
}

const open = ({ id }: { id: number }, client = BOOTSTRAP_CLIENT) =>
  signIn(page, service.url, `/payments/${id}`, client);

/** Lets the service carry out requests of this path and loses their answers. Returns the requests. */
async function losingAnswers(path: RegExp): Promise<Request[]> {
  const requests: Request[] = [];
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    requests.push(route.request());
    await route.fetch();
    return route.abort();
  });
  return requests;
}

/** Collects the requests with this path. */
function watched(path: RegExp): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && path.test(request.url())) requests.push(request);
  });
  return requests;
}

const keyOf = (request: Request) => request.headers()['idempotency-key'];

describe('a capture in the console', () => {
  const authorize = () =>
    merchant.pay('checkout', { amount: 100, capture: 'manual', payment_method: { token: 'tok_authorize_only' } });

  it('checks the amount, releases the rest, and is safe to repeat after a lost answer', async () => {
    const payment = await authorize();
    await open(payment);
    await fact('Authorised').getByText('EUR 100.00').waitFor();
    await fact('Capture before').waitFor();
    await page.getByText('Authorisation requested from sandbox').waitFor();
    await button('Capture').click();
    await focusIsOnCancel();
    const amount = dialog().getByLabel('Amount in EUR');
    expect(await amount.inputValue()).toBe('100.00');
    for (const [text, problem] of [
      ['100.01', 'must be at most the authorised 100'],
      ['30.001', 'must have at most 2 decimals in EUR'],
      ['0', 'must be greater than 0'],
      ['all', 'must be a number'],
    ]) {
      await amount.fill(text!);
      await button(/^Capture/, dialog()).click();
      await dialog().getByText(problem!).waitFor();
    }
    await amount.fill('30');
    await dialog().getByText('The rest of EUR 70.00 is released').waitFor();
    await isFit();

    const lost = await losingAnswers(/\/capture$/);
    await button('Capture EUR 30.00', dialog()).click();
    await dialog().getByText('The change may or may not have been saved.').waitFor();
    expect(lost).toHaveLength(1);
    await fact('Captured').getByText('EUR 30.00').waitFor();
    await page.unrouteAll();
    await button('Capture EUR 30.00', dialog()).click();
    await page.getByText('The payment is now completed.').waitFor();
    await page.getByText('Capture requested from sandbox').waitFor();
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'completed', amount_captured: 30 });
    expect(await button('Capture').isDisabled()).toBe(true);
  });

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
  it('refunds a part once, also after a lost answer and with a double click', async () => {
    const payment = await merchant.pay('checkout', { amount: 50 });
    await open(payment);
    await page.getByText('The payment has no refunds.').waitFor();
    await button('Refund').click();
    await focusIsOnCancel();
    const amount = dialog().getByLabel('Amount in EUR');
    expect(await amount.inputValue()).toBe('50.00');
    await amount.fill('50.01');
    await button('Refund', dialog()).click();
    await dialog().getByText('50.01 EUR of payment').waitFor();
    await dialog().getByText('50 captured, 0 refunded, 50 EUR left').waitFor();
    await amount.fill('40');
    await dialog().getByLabel('Reason').fill('Customer returned the goods');
    await isFit();

    const lost = await losingAnswers(/\/refunds$/);
    await button('Refund EUR 40.00', dialog()).click();
    await dialog().getByText('The change may or may not have been saved.').waitFor();
    await page.unrouteAll();
    // the page behind already shows the refund, and the repeat is the same one
    await fact('Refunded').getByText('EUR 40.00').waitFor();
    const repeated = watched(/\/refunds$/);
    await button('Refund EUR 40.00', dialog()).click();
    await page.getByText('of EUR 40.00 has succeeded.').waitFor();
    expect(await refundsOf(payment)).toMatchObject([{ amount: 40, status: 'succeeded' }]);
    const keys = new Set([...lost, ...repeated].map(keyOf));
    expect([keys.size, repeated.length]).toEqual([1, 1]);

    await button('Refund').click();
    expect(await amount.inputValue()).toBe('10.00');
    await button('Refund EUR 10.00', dialog()).dblclick();
    await page.getByText('Status: completed → refunded').waitFor();
    expect(await refundsOf(payment)).toHaveLength(2);
    expect(repeated).toHaveLength(2);
    expect(keys.has(keyOf(repeated[1]!))).toBe(false);
    await page.getByRole('cell', { name: 'Customer returned the goods' }).waitFor();
  });

  it('that fails says so, at once and late', async () => {
    const refused = await merchant.pay('checkout', { payment_method: { token: 'tok_refund_refused' } });
    await open(refused);
    await button('Refund').click();
    await button(/^Refund EUR/, dialog()).click();
    await page.getByText(/has failed.*can be refunded again/).waitFor();

    const late = await merchant.pay('checkout', { amount: 50 });
    await merchant.api.post(`/payments/${late.id}/refunds`, { amount: 50 });
    const [refund] = await refundsOf(late);
    await page.goto(`${service.url}/console/payments/${late.id}`);
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
  await database.pool.query(
    `UPDATE provider_operations SET next_try_at = NULL, state = 'unknown' WHERE payment_id = $1`,
    [payment.id],
  );
  return payment;
}

describe('an operation that a person must settle', () => {
  it('a person finds it on the page of open work, and settles it against the provider only with a confirmation', async () => {
    const payment = await stopped();
    await signIn(page, service.url, '/open-work');
    const row = page
      .getByRole('table', { name: 'Operations that a person must settle' })
      .getByRole('row', { name: new RegExp(`^${payment.id}\\b`) });
    await row.getByRole('link', { name: 'Settle at the payment' }).click();
    await button('Settle …').click();
    await focusIsOnCancel();
    await button('Settle', dialog()).click();
    await dialog().getByText('must be one of captured, not_captured, voided, refunded for this charge').waitFor();
    await dialog().getByText('must have at least 1 character').waitFor();
    await dialog().getByLabel('Outcome at the provider').selectOption('captured');
    await dialog().getByLabel('Captured amount in EUR').fill('49.901');
    await dialog().getByLabel('Reason').fill('The dashboard shows the charge');
    await button('Settle', dialog()).click();
    await dialog().getByText('must have at most 2 decimals in EUR').waitFor();
    await dialog().getByLabel('Captured amount in EUR').fill('49.90');

    const requests = watched(/\/settle$/);
    await button('Settle', dialog()).click();
    await dialog().getByText('The provider reports another outcome:').waitFor();
    await dialog().getByText('not_found').waitFor();
    await focusIsOnCancel();
    await isFit();
    const anyway = button('Settle as captured anyway', dialog());
    expect(await anyway.isDisabled()).toBe(true);
    // a confirmation is for these values only
    await dialog().getByRole('checkbox').check();
    await dialog().getByLabel('Reason').fill('Support of the provider confirms the charge');
    await button('Settle', dialog()).click();
    await dialog().getByRole('checkbox').check();
    await anyway.click();
    await page.getByText('The charge is settled as captured.').waitFor();
    expect(requests).toHaveLength(3);
    const entries = await merchant.api.get(
      `/audit?action=operation.settled&object_type=payment&object_id=${payment.id}`,
    );
    expect(dataOf(entries)).toMatchObject([{ details: { outcome: 'captured', confirmed: 'true' } }]);
    await page.getByText('A person settled the charge as captured').waitFor();
    await page.getByText('Support of the provider confirms the charge', { exact: true }).waitFor();
    await page.locator('#content').getByText(BOOTSTRAP_CLIENT.id, { exact: true }).waitFor();
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'completed', amount_captured: 49.9 });
    expect(await page.getByRole('heading', { name: 'Open provider operations' }).count()).toBe(0);
  });

  it('that another person settles meanwhile is reported as closed', async () => {
    const payment = await stopped();
    await open(payment);
    await button('Settle …').click();
    await dialog().getByLabel('Outcome at the provider').selectOption('not_captured');
    await dialog().getByLabel('Reason').fill('The dashboard does not show it');
    const operations = dataOf<{ id: number }[]>(await merchant.api.get(`/payments/${payment.id}/operations`));
    const body = { outcome: 'not_captured', reason: 'not there' };
    dataOf(await merchant.api.post(`/payments/${payment.id}/operations/${operations[0]!.id}/settle`, body));
    await button('Settle', dialog()).click();
    await dialog().getByText('operation_closed').waitFor();
    await button('Cancel', dialog()).click();
    await page.getByText('Status: processing → failed').waitFor();
  });

  it('the page lets only a client with the scope settle it', async () => {
    const payment = await stopped();
    const few = SCOPES.filter((scope) => scope !== 'payments:settle' && scope !== 'audit:read');
    await open(payment, await insertClient(database, { merchantId: 1 }, few));
    await page.getByText('Settling needs the scope payments:settle').waitFor();
    await page.getByText('this client does not have the scope audit:read').waitFor();
    expect(await button('Settle …').count()).toBe(0);
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
    await signIn(page, service.url, '/disputes');
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

    await page.goto(`${service.url}/console`);
    const tile = page.getByRole('link', { name: /Disputes, evidence due/ });
    await tile.getByRole('img', { name: 'needs attention' }).waitFor();
    await tile.click();
    await page.waitForURL(/disputes\?due_before=/);
    await row(overdue).waitFor();
    await page.goto(`${service.url}/console/open-work`);
    await page.getByRole('table', { name: 'Disputes with evidence due' }).getByText('overdue').waitFor();
    await isFit();
  });

  it('the page has a second page, and links to the dashboard of a provider that has one', async () => {
    const payment = await merchant.pay('checkout', { amount: 60 });
    for (let count = 0; count < 52; count++) await dispute(payment, { amount: 1 });
    await database.pool.query(`UPDATE disputes SET provider = 'stripe' WHERE payment_id = $1`, [payment.id]);
    await signIn(page, service.url, '/disputes?status=open');
    const link = page.getByRole('link', { name: 'Stripe dashboard' }).first();
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/dashboard\.stripe\.com\/disputes\/dp_\d+$/);
    await button('Show more').click();
    await page.getByRole('row').nth(53).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('the browser reports no errors', () => {
    // without a sign-in, a page first asks for the session and gets a 401; the tests lose answers and get refusals
    const expected = /status of (401|409|422)|ERR_FAILED/;
    expect(complaints.filter((text) => !expected.test(text))).toEqual([]);
  });
});
