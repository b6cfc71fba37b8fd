import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { ApiClient } from '../../support/app/api-client.js';
import { insertClient } from '../../support/app/insert-client.js';
import { dataOf, Merchant, NOTIFICATION_SECRET } from '../../support/app/merchant.js';
import { type InProcessService, startServiceInProcess } from '../../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT } from '../../support/app/service.js';
import { fitsWindow, forgetAll, openPage, startBrowser, STEP_MS } from '../../support/browser/browser.js';
import { seriousFindings, signIn } from '../../support/browser/console.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { startReceiver, type Receiver } from '../../support/servers/receiver.js';

/** A name that is longer than any layout expects, written from right to left. */
const LONG_NAME = 'متجر دبي للإلكترونيات والأجهزة المنزلية والهواتف الذكية وملحقاتها';

let database: TestDatabase;
let service: InProcessService;
let receiver: Receiver;
let browser: Browser;
let page: Page;
let complaints: string[];
let merchant: Merchant;

beforeAll(async () => {
  [database, receiver, browser] = await Promise.all([createTestDatabase(), startReceiver(), startBrowser()]);
  service = await startServiceInProcess({ entry: 'all', databaseUrl: database.url });
  ({ page, complaints } = await openPage(browser));
  merchant = new Merchant(await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
  await signIn(page, service.url, '/shops');
  complaints.splice(0); // before the sign-in the session request is answered with 401
}, 5 * STEP_MS);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await receiver?.stop();
  await database?.drop();
});

const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
const card = (name: string) => page.getByRole('region', { name, exact: true });

async function isGood(): Promise<void> {
  expect(await seriousFindings(page)).toEqual([]);
  expect(complaints).toEqual([]);
}

async function atNarrowWidth(): Promise<void> {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await fitsWindow(page);
  await page.setViewportSize(size);
}

describe('shops in the console', () => {
  it(
    'the pages create, check, rotate and change them and show their state',
    async () => {
      await page.getByRole('heading', { name: 'No shops yet' }).waitFor();
      await isGood();
      await page.getByRole('button', { name: 'Create a shop' }).first().click();
      await page.getByLabel('Name').fill(LONG_NAME);
      await page.getByLabel('notification_secret').fill(NOTIFICATION_SECRET);
      await page.getByText('Fees of the provider').click();
      await press('Add a fee');
      await page.getByLabel('Percent').fill('2.9');
      await isGood();
      await press('Create');
      await page.getByText(/^whsec_/).waitFor();
      await press('Open the shop');
      await page.getByRole('heading', { name: LONG_NAME }).waitFor();

      await card('Fees').getByText('2.9 %').waitFor();
      await press('Check');
      await page.getByText('sandbox accepts these credentials.').waitFor();
      await card('Provider credentials')
        .getByText(`…${NOTIFICATION_SECRET.slice(-4)}`)
        .waitFor();
      await card('Provider credentials').getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('simulate').fill('tok_decline');
      await press('Save');
      await card('Provider credentials').getByText('tok_decline').waitFor();

      await press('Rotate secret');
      await press('Rotate');
      await page.getByText('Secret rotated').waitFor();
      await press('Close');
      await page.reload();
      await page.getByRole('heading', { name: 'Secret rotation in progress' }).waitFor();
      expect(await page.locator('.rotation-phases li').count()).toBe(3);

      const [{ id }] = await shops();
      await merchant.createFlow('checkout', [id]);
      await merchant.pay('checkout');
      await merchant.pay('checkout');
      await page.reload();
      await card('Decline codes').getByText('card_declined').waitFor();
      await page.getByRole('img', { name: /^Outcomes of the last hour per minute, 2 in total/ }).waitFor();
      await atNarrowWidth();
      await isGood();

      await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
      await page.getByLabel('Takes new payments').selectOption('no');
      await press('Save');
      await page.getByText('disabled', { exact: true }).waitFor();
      expect(await shops()).toMatchObject([{ enabled: false, name: LONG_NAME }]);
    },
    10 * STEP_MS,
  );

  it(
    'the page of a shop changes its fees and shows errors at their fields',
    async () => {
      await card('Fees').getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Fixed').fill('0.25');
      await press('Add a fee');
      expect(await page.evaluate('document.activeElement.labels[0].textContent')).toBe('Percent');
      await page.getByLabel('Percent').nth(1).fill('0.2');
      await page.getByLabel('Card scheme').nth(1).fill('Maestro');
      await press('Save');
      await page.getByText('is required with a fixed fee').first().waitFor();
      expect(await page.getByLabel('Currency').first().getAttribute('aria-invalid')).toBe('true');
      complaints.splice(0); // the refused request
      await atNarrowWidth();
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await isGood();
      }
      await page.getByLabel('Currency').first().fill('eur');
      await press('Save');
      await card('Fees').getByText('2.9 % + 0.25 EUR').waitFor();
      await card('Fees').getByText('maestro cards').waitFor();
      await isGood();
      const [{ fees }] = await shops();
      expect(fees).toEqual([
        { percent: 2.9, fixed: 0.25, currency: 'EUR' },
        { percent: 0.2, fixed: 0, scheme: 'maestro' },
      ]);
    },
    5 * STEP_MS,
  );

  it(
    'the pages name a shop’s account and warn when it does not have the tokens that it gets',
    async () => {
      await page.getByRole('link', { name: 'Shops' }).first().click();
      await page.getByRole('button', { name: 'Create a shop' }).click();
      await page.getByLabel('Name').fill('Paris');
      await page.getByLabel('Account', { exact: true }).fill('e u');
      await page.getByRole('textbox', { name: 'account', exact: true }).fill('eu');
      complaints.splice(0);
      await press('Create');
      await page.getByText('must be 1 to 80 letters, digits, dots, dashes or underscores').first().waitFor();
      expect(await page.getByLabel('Account', { exact: true }).getAttribute('aria-invalid')).toBe('true');
      complaints.splice(0); // the refused request
      await page.getByLabel('Account', { exact: true }).fill('eu');
      await press('Create');
      await press('Open the shop');
      await page.getByText('account eu').waitFor();

      const id = Number(/shops\/(\d+)/.exec(page.url())![1]);
      const other = await merchant.createShop('Lyon', { provider_credentials: { account: 'eu' } });
      await merchant.createFlow('france', [id]);
      const pay = (token: string) => merchant.pay('france', { payment_method: { token } });
      const refused = await pay('tok_success@us');
      expect(refused.status).toBe('failed');
      await page.reload();
      await page.getByText('1 payment was refused here in 24 hours').waitFor();
      await atNarrowWidth();
      await isGood();
      await page.getByRole('link', { name: 'Failed payments of this shop' }).click();
      await page.getByRole('link', { name: String(refused.id), exact: true }).waitFor();
      await page.goBack();

      await card('Provider credentials').getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('any_token').fill('true');
      await press('Save');
      await card('Provider credentials').getByText('true', { exact: true }).waitFor();
      expect((await pay('tok_success@us')).status).toBe('completed');

      await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
      await page.getByLabel('Account', { exact: true }).fill('europe');
      await press('Save');
      await page.getByText('account europe').waitFor();
      expect(dataOf(await merchant.api.get(`/shops/${other.id}`))).toMatchObject({ provider_account: 'europe' });
      await isGood();
    },
    10 * STEP_MS,
  );
});

type Shops = [{ id: number; enabled: boolean; name: string; fees: object[] }];

const shops = async (): Promise<Shops> => (await merchant.api.get<{ data: Shops }>('/shops')).body.data;

describe('the developers’ page of the console', () => {
  it(
    'shows live events, tests a receiver and lists the clients',
    async () => {
      const { id } = await merchant.createShop('Berlin');
      await merchant.createFlow('berlin', [id]);
      await page.getByRole('link', { name: 'Developers' }).first().click();
      await page.getByText('connected', { exact: true }).waitFor();
      const events = page.locator('.events > li');
      const { id: firstId } = await merchant.pay('berlin');
      await events
        .filter({ hasText: `payment ${firstId}` })
        .first()
        .waitFor();

      await press('Pause');
      await page.getByRole('button', { name: /^Resume/ }).waitFor();
      const before = await events.count();
      const { id: paymentId } = await merchant.pay('berlin');
      await page.getByRole('button', { name: /^Resume \(\d+ new\)$/ }).waitFor();
      expect(await events.count()).toBe(before);
      expect(await events.filter({ hasText: `payment ${paymentId}` }).count()).toBe(0);
      await page.getByRole('button', { name: /^Resume/ }).click();
      const newest = events.filter({ hasText: `payment ${paymentId}` }).first();
      await newest.locator('summary').click();
      await newest.getByText(`"payment_id": ${paymentId}`).waitFor();

      await page.getByLabel('Type').selectOption('endpoint.failing');
      await page.getByText('No endpoint.failing events yet').waitFor();
      await page.waitForURL(/type=endpoint\.failing/);

      await page.getByLabel('Sign as shop').selectOption(String(id));
      await page.getByLabel('Address', { exact: true }).fill(receiver.url);
      await press('Send');
      await page.getByText('delivered', { exact: true }).waitFor();
      expect(receiver.requests.at(-1)?.headers).toMatchObject({ 'webhook-test': 'true' });

      await card('API clients').getByText('this session').waitFor();
      await atNarrowWidth();
      await isGood();
    },
    10 * STEP_MS,
  );

  it(
    'says which scope is missing and offers no action that needs it',
    async () => {
      const reader = await insertClient(database, { merchantId: 1 }, ['shops:read']);
      await forgetAll(page);
      await signIn(page, service.url, '/developers', reader);
      for (const scope of ['webhooks:read', 'webhooks:write', 'audit:read']) {
        await page.getByText(scope, { exact: true }).first().waitFor();
      }
      await page.getByRole('link', { name: 'Shops' }).first().click();
      await page.getByRole('link', { name: 'Berlin' }).click();
      await page.getByRole('heading', { name: 'Provider credentials' }).waitFor();
      expect(await page.getByRole('button', { name: /^(Check|Edit|Rotate secret|Change signing)$/ }).count()).toBe(0);
      expect(await seriousFindings(page)).toEqual([]);
    },
    10 * STEP_MS,
  );
});
