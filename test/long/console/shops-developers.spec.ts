import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dataOf, type Merchant, NOTIFICATION_SECRET } from '../../support/app/merchant.js';
import { fitsWindow, STEP_MS } from '../../support/browser/browser.js';
import { seriousFindings, signIn } from '../../support/browser/console.js';
import { type ConsoleApp, startConsoleApp } from '../../support/browser/console-app.js';
import { startReceiver, type Receiver } from '../../support/servers/receiver.js';

/** A name that is longer than any layout expects, written from right to left. */
const LONG_NAME = 'متجر دبي للإلكترونيات والأجهزة المنزلية والهواتف الذكية وملحقاتها';

let app: ConsoleApp;
let receiver: Receiver;
let page: Page;
let complaints: string[];
let merchant: Merchant;

beforeAll(async () => {
  [app, receiver] = await Promise.all([startConsoleApp(), startReceiver()]);
  ({ page, complaints, merchant } = app);
  await signIn(page, app.service.url, '/shops');
}, 5 * STEP_MS);
afterAll(async () => {
  await app?.stop();
  await receiver?.stop();
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
  it('the pages create, check, rotate and change them and show their state', async () => {
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
  });

  it('the pages name a shop’s account and warn when it does not have the tokens that it gets', async () => {
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
  });
});

type Shops = [{ id: number; enabled: boolean; name: string; fees: object[] }];

const shops = async (): Promise<Shops> => (await merchant.api.get<{ data: Shops }>('/shops')).body.data;

describe('the developers’ page of the console', () => {
  it('shows live events, tests a receiver and lists the clients', async () => {
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

    await atNarrowWidth();
    await isGood();
  });
});
