import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { dataOf, type Merchant, NOTIFICATION_SECRET, type PaymentAnswer } from '../../support/app/merchant.js';
import { STEP_MS } from '../../support/browser/browser.js';
import { navigate, signIn } from '../../support/browser/console.js';
import { type ConsoleApp, startConsoleApp } from '../../support/browser/console-app.js';
import { eventually } from '../../support/eventually.js';
import { Story } from '../../support/story.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { stopOperations } from '../../support/operation-work.js';

let app: ConsoleApp;
let page: Page;
let merchant: Merchant;
let receiver: Receiver;
let shop: number;

beforeAll(async () => {
  // an operation soon has an unknown outcome; requests to the receiver are counted, and a busy machine must not cause a second one
  const env = { PROVIDER_TIMEOUT_MS: '1000', WEBHOOK_TIMEOUT_MS: '60000' };
  [app, receiver] = await Promise.all([startConsoleApp({ env }), startReceiver()]);
  ({ page, merchant } = app);
  await signIn(page, app.service.url);
}, 5 * STEP_MS);
beforeEach(() => page.unrouteAll());
afterAll(async () => {
  await app?.stop();
  await receiver?.stop();
});

const dialog = () => page.getByRole('dialog');
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });
const press = (name: string, within: Page | Locator = page) => button(name, within).first().click();
const card = (name: string) => page.getByRole('region', { name, exact: true });
const field = (name: string, within: Page | Locator = page) => within.getByLabel(name, { exact: true });
const fieldError = (text: string) => page.locator('.field-error', { hasText: text }).first().waitFor();
const fact = (name: string) => page.locator('main .facts').first().locator('div', { hasText: name }).locator('dd');
const open = ({ id }: { id: number }) => navigate(page, `/payments/${id}`);

/** Waits until the focus is on Cancel: Enter or Space change nothing then. */
const focusIsOnCancel = () => button('Cancel', dialog()).and(page.locator(':focus')).waitFor();

/** Lets the service carry out requests of this path, and loses their answers. */
const losingAnswers = (path: RegExp): Promise<unknown> =>
  page.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    return route.abort();
  });

/** The idempotency keys of requests with this path, from now on. */
function keysOf(path: RegExp): string[] {
  const keys: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && path.test(request.url())) keys.push(request.headers()['idempotency-key']!);
  });
  return keys;
}

describe('a person in the console', () => {
  const story = new Story();

  story.step('creates a shop, checks its credentials, and corrects errors of its fees at their fields', async () => {
    await page.getByRole('heading', { name: '1. Create a shop' }).waitFor();
    await navigate(page, '/shops');
    await page.getByRole('heading', { name: 'No shops yet' }).waitFor();
    await press('Create a shop');
    await field('Name').fill('متجر دبي');
    await page.getByLabel('notification_secret').fill(NOTIFICATION_SECRET);
    await page.getByText('Fees of the provider').click();
    await press('Add a fee');
    await page.getByLabel('Percent').and(page.locator(':focus')).waitFor();
    await page.getByLabel('Percent').fill('2.9');
    await press('Create');
    await page.getByText(/^whsec_/).waitFor();
    await press('Open the shop');
    await card('Fees').getByText('2.9 %').waitFor();
    await press('Check');
    await page.getByText('sandbox accepts these credentials.').waitFor();
    await press('Edit', card('Fees'));
    await page.getByLabel('Fixed').fill('0.25');
    await press('Save');
    await fieldError('is required with a fixed fee');
    expect(await page.getByLabel('Currency').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Currency').fill('eur');
    await press('Save');
    await card('Fees').getByText('2.9 % + 0.25 EUR').waitFor();
    shop = Number(/shops\/(\d+)/.exec(page.url())![1]);
    const fees = [{ percent: 2.9, fixed: 0.25, currency: 'EUR' }];
    expect(dataOf(await merchant.api.get(`/shops/${shop}`))).toMatchObject({ name: 'متجر دبي', fees });
  });

  story.step('creates a flow, sees where a payment goes, and proposes and activates a change', async () => {
    await navigate(page, '/flows');
    await press('Create a flow');
    await field('Name', dialog()).fill('checkout');
    await dialog().getByLabel('متجر دبي').check();
    await press('Create and open', dialog());
    await page.getByRole('heading', { name: 'checkout', level: 1 }).waitFor();
    await card('Simulator').locator('.pick', { hasText: 'Goes to' }).waitFor();
    await card('Strategy').getByRole('combobox', { name: 'Strategy' }).selectOption('weighted');
    const weight = page.getByRole('list', { name: 'Shops of the flow' }).getByLabel('Weight');
    await weight.fill('many');
    await page.getByText('must be an integer').first().waitFor();
    await weight.fill('3');
    await press('Propose');
    await page.waitForURL(/proposals\/2/);
    await card('The change').getByText('1 → 3').waitFor();
    // the keyboard is enough from here to the activation
    await button('Ask for an approval …').press('Enter');
    await dialog().getByLabel('Message').fill('Cheaper');
    await button('Ask', dialog()).press('Enter');
    await card('Review').getByText('waiting for approval').waitFor();
    await field('Your comment').fill('As agreed');
    await button('Comment').press('Enter');
    await card('Comments').getByRole('listitem').getByText('As agreed').waitFor();
    await button('Activate or roll out …').press('Enter');
    await focusIsOnCancel();
    await dialog().getByText('weight').first().waitFor();
    await button('Activate for all', dialog()).press('Enter');
    await card('Review').getByText('active', { exact: true }).waitFor();
    await card('The change').getByText('which it replaced').waitFor();
  });

  story.step('captures a part of an authorised amount, safely after a lost answer', async () => {
    const authorized = { amount: 100, capture: 'manual', payment_method: { token: 'tok_authorize_only' } };
    const payment = await merchant.pay('checkout', authorized);
    await open(payment);
    await fact('Authorised').getByText('EUR 100.00').waitFor();
    await press('Capture');
    await focusIsOnCancel();
    const amount = dialog().getByLabel('Amount in EUR');
    expect(await amount.inputValue()).toBe('100.00');
    await amount.fill('100.01');
    await button(/^Capture/, dialog()).click();
    await dialog().getByText('must be at most the authorised 100').waitFor();
    await amount.fill('30');
    await dialog().getByText('The rest of EUR 70.00 is released').waitFor();
    await losingAnswers(/\/capture$/);
    await press('Capture EUR 30.00', dialog());
    await dialog().getByText('The change may or may not have been saved.').waitFor();
    await fact('Captured').getByText('EUR 30.00').waitFor();
    await page.unrouteAll();
    await press('Capture EUR 30.00', dialog());
    await page.getByText('The payment is now completed.').waitFor();
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'completed', amount_captured: 30 });
    expect(await button('Capture').isDisabled()).toBe(true);
  });

  story.step('refunds parts of a payment, each once, also after a lost answer and with a double click', async () => {
    const payment = await merchant.pay('checkout', { amount: 50 });
    const refunds = async (): Promise<object[]> => dataOf(await merchant.api.get(`/payments/${payment.id}/refunds`));
    await open(payment);
    await page.getByText('The payment has no refunds.').waitFor();
    await press('Refund');
    await focusIsOnCancel();
    const amount = dialog().getByLabel('Amount in EUR');
    await amount.fill('50.01');
    await press('Refund', dialog());
    await dialog().getByText('50 captured, 0 refunded, 50 EUR left').waitFor();
    await amount.fill('40');
    await dialog().getByLabel('Reason').fill('Customer returned the goods');
    const keys = keysOf(/\/refunds$/);
    await losingAnswers(/\/refunds$/);
    await press('Refund EUR 40.00', dialog());
    await dialog().getByText('The change may or may not have been saved.').waitFor();
    // the page behind already shows the refund, and the repeat is the same one
    await fact('Refunded').getByText('EUR 40.00').waitFor();
    await page.unrouteAll();
    await press('Refund EUR 40.00', dialog());
    await page.getByText('of EUR 40.00 has succeeded.').waitFor();
    expect(await refunds()).toMatchObject([{ amount: 40, status: 'succeeded' }]);
    await press('Refund');
    expect(await amount.inputValue()).toBe('10.00');
    await button('Refund EUR 10.00', dialog()).dblclick();
    await page.getByText('Status: completed → refunded').waitFor();
    await page.getByRole('cell', { name: 'Customer returned the goods' }).waitFor();
    expect(await refunds()).toHaveLength(2);
    // one key per refund; the second was sent once
    expect([new Set(keys).size, keys.filter((key) => key === keys.at(-1)).length]).toEqual([2, 1]);
  });

  story.step(
    'finds an operation on the page of open work, and settles it against the provider only with a confirmation',
    async () => {
      const payment = await merchant.pay('checkout', { payment_method: { token: 'tok_timeout' } });
      await app.database.pool.query(stopOperations('payment_id = $1'), [payment.id]);
      await navigate(page, '/open-work');
      const row = page
        .getByRole('table', { name: 'Operations that a person must settle' })
        .getByRole('row', { name: new RegExp(`^${payment.id}\\b`) });
      await row.getByRole('link', { name: 'Settle at the payment' }).click();
      await press('Settle …');
      await focusIsOnCancel();
      await press('Settle', dialog());
      await dialog().getByText('must be one of captured, not_captured, voided, refunded for this charge').waitFor();
      await dialog().getByText('must have at least 1 character').waitFor();
      await dialog().getByLabel('Outcome at the provider').selectOption('captured');
      await dialog().getByLabel('Captured amount in EUR').fill('49.90');
      await dialog().getByLabel('Reason').fill('The dashboard shows the charge');
      await press('Settle', dialog());
      await dialog().getByText('The provider reports another outcome:').waitFor();
      const anyway = button('Settle as captured anyway', dialog());
      expect(await anyway.isDisabled()).toBe(true);
      // a confirmation is for these values only
      await dialog().getByRole('checkbox').check();
      await dialog().getByLabel('Reason').fill('Support of the provider confirms the charge');
      await press('Settle', dialog());
      await dialog().getByRole('checkbox').check();
      await anyway.click();
      await page.getByText('The charge is settled as captured.').waitFor();
      await page.getByText('A person settled the charge as captured').waitFor();
      await page.locator('#content').getByText('A client', { exact: true }).waitFor();
      expect(await merchant.payment(payment.id)).toMatchObject({ status: 'completed', amount_captured: 49.9 });
    },
  );

  story.step('sees a new dispute without a reload, and finds its payment by a search', async () => {
    const payment = await merchant.pay('checkout', { amount: 50 });
    await navigate(page, '/disputes');
    await page.getByRole('heading', { name: 'No disputes yet' }).waitFor();
    const due = new Date(Date.now() + 2 * 86_400_000 + 60_000).toISOString();
    const dispute = {
      id: 'dp_1',
      kind: 'chargeback',
      status: 'open',
      amount: 10,
      currency: 'EUR',
      evidence_due_by: due,
    };
    const notification = { id: 'evt_1', status: 'disputed', dispute };
    dataOf(await merchant.notify(payment, notification));
    await page
      .getByRole('row', { name: /\bdp_1\b/ })
      .getByText('in 2 days')
      .waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(payment.provider_transaction_id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: `Payment ${payment.id}` }).waitFor();
    await fact('Disputed').getByText('EUR 10.00').waitFor();
  });

  story.step('sees why a delivery has failed, sends it again, and verifies what the receiver got', async () => {
    receiver.respondWith({ status: 410, body: 'gone' });
    const { id } = await merchant.pay('checkout', { webhook_endpoint: `${receiver.url}/hooks` });
    const path = `/webhooks/deliveries?status=failed&payment_id=${id}`;
    const failed = async () => dataOf<{ id: string }[]>(await merchant.api.get(path));
    await eventually(async () => expect(await failed()).toHaveLength(2));
    await navigate(page, `/deliveries?status=failed&payment_id=${id}`);
    await page.locator(`a[href="/console/deliveries/${(await failed())[0]!.id}"]`).click();
    await page.getByText('What to do: send it to another address.').first().waitFor();
    receiver.requests.length = 0;
    receiver.respondWith(200);
    await press('Send again …');
    await press('Send again', dialog());
    await page.getByRole('heading', { name: /^Delivery \d+ delivered$/ }).waitFor();
    expect(receiver.requests).toHaveLength(1);
    const { headers, body } = receiver.requests[0]!;
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
    await field('Headers').fill(lines.join('\n'));
    await press('Verify');
    await page.getByText('The signature is valid.').waitFor();
    await field('Body, as received').fill(`${body.toString()} `);
    await press('Verify');
    await page.getByText('changed_whitespace').waitFor();
  });

  story.step(
    'creates an endpoint after a test of its address, sees its secret once, pauses and deletes it',
    async () => {
      await navigate(page, '/endpoints/new');
      await field('URL').fill(`${receiver.url}/hooks`);
      await press('Send a test');
      await page.getByText('delivered', { exact: true }).waitFor();
      expect(receiver.requests.at(-1)).toMatchObject({ url: '/hooks', headers: { 'webhook-test': 'true' } });
      await page.getByRole('checkbox', { name: /^refund\.created/ }).check();
      await page.getByLabel('Only these shops').check();
      await page.getByRole('checkbox', { name: /^متجر دبي/ }).check();
      await press('Add a header');
      await field('Name').fill('Host');
      await field('Value').fill('a-value-of-a-header');
      await field('Type').selectOption('basic');
      const userName = page.getByLabel('User name');
      await userName.fill('orders:1');
      await page.getByLabel('Password').fill('a-password-of-a-receiver');
      await page.getByLabel(/^Requests per second/).fill('50');
      await press('Create');
      await fieldError('without a colon');
      await userName.and(page.locator(':focus')).waitFor();
      await userName.fill('orders');
      await press('Create');
      await fieldError('header "Host" is set by the service');
      await field('Name').fill('X-Environment');
      await press('Create');
      await page.getByRole('heading', { level: 1, name: 'Endpoint created' }).waitFor();
      const secret = await page.getByText(/^whsec_/).innerText();
      expect(await page.locator('pre').innerText()).not.toContain(secret);
      await page.getByRole('link', { name: 'Open the endpoint' }).click();
      await page.getByRole('heading', { name: 'Settings' }).waitFor();
      expect(await page.getByText(secret).count()).toBe(0);
      await press('Show');
      await page.getByText(secret).waitFor();
      const path = `/webhooks/endpoints/${/endpoints\/(\d+)/.exec(page.url())![1]}`;
      expect(dataOf(await merchant.api.get(path))).toMatchObject({
        url: `${receiver.url}/hooks`,
        shop_ids: [shop],
        event_types: ['payment.status_changed', 'refund.created'],
        header_names: ['X-Environment'],
        auth: { type: 'basic', username: 'orders' },
        max_per_second: 50,
        redeliver_on_recovery: true,
      });
      await press('Pause');
      await page.getByText('Its events are kept as pending deliveries').waitFor();
      expect(dataOf(await merchant.api.get(path))).toMatchObject({ state: 'paused' });
      await press('Delete …');
      await focusIsOnCancel();
      await press('Delete', dialog());
      await page.getByRole('heading', { level: 1, name: 'Endpoints' }).waitFor();
      expect((await merchant.api.get(path)).status).toBe(404);
    },
  );

  story.step('watches live events, and pauses them', async () => {
    await navigate(page, '/developers');
    await page.getByText('connected', { exact: true }).waitFor();
    await press('Pause');
    const { id }: PaymentAnswer = await merchant.pay('checkout');
    const event = page
      .locator('.events > li')
      .filter({ hasText: `payment ${id}` })
      .first();
    await page.getByRole('button', { name: /^Resume \(\d+ new\)$/ }).waitFor();
    expect(await event.count()).toBe(0);
    await page.getByRole('button', { name: /^Resume/ }).click();
    await event.locator('summary').click();
    await event.getByText(`"payment_id": ${id}`).waitFor();
  });

  story.step('causes no errors of the browser', () => {
    // the tests lose answers and get refusals
    expect(app.complaints.filter((text) => !/status of (409|422)|ERR_FAILED/.test(text))).toEqual([]);
  });

  story.step('adds a person, gives her another role, and revokes her', async () => {
    await navigate(page, '/people');
    await press('Add …');
    await field('Name', dialog()).fill('Grace');
    await dialog()
      .getByLabel(/^Finance/)
      .check();
    await press('Add', dialog());
    await dialog()
      .getByText(/^secret_/)
      .waitFor();
    await press('I have stored it', dialog());
    const grace = page.getByRole('row', { name: /Grace/ });
    await press('Edit …', grace);
    await dialog()
      .getByLabel(/^Manager/)
      .check();
    await press('Save', dialog());
    await grace.getByText('Manager', { exact: true }).waitFor();
    await press('Revoke …', grace);
    await focusIsOnCancel();
    await press('Revoke', dialog());
    await grace.waitFor({ state: 'detached' });
  });

  it('makes all kinds of changes', () => story.run(), 10 * STEP_MS);
});
