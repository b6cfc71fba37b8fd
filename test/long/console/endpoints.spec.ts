import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Scope } from '../../../src/access/scopes.js';
import { insertClient } from '../../support/app/insert-client.js';
import { dataOf, type Merchant } from '../../support/app/merchant.js';
import { fitsWindow, forgetAll, STEP_MS } from '../../support/browser/browser.js';
import { navigate, seriousFindings, signIn } from '../../support/browser/console.js';
import { type ConsoleApp, startConsoleApp } from '../../support/browser/console-app.js';
import { eventually } from '../../support/eventually.js';
import { startReceiver, type Receiver } from '../../support/servers/receiver.js';

let app: ConsoleApp;
let receiver: Receiver;
let page: Page;
let complaints: string[];
let merchant: Merchant;
let shop: number;

beforeAll(async () => {
  const env = { MAX_WEBHOOK_ENDPOINTS_PER_MERCHANT: '100', WEBHOOK_RETRY_DELAYS_MS: '10,10,600000' };
  [app, receiver] = await Promise.all([startConsoleApp({ env }), startReceiver()]);
  ({ page, complaints, merchant } = app);
  shop = (await merchant.createShop('Berlin')).id;
  await merchant.createFlow('deliveries', [shop]);
  await signIn(page, app.service.url, '/endpoints');
}, 5 * STEP_MS);
afterAll(async () => {
  await app?.stop();
  await receiver?.stop();
});

const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
const follow = (name: string): Promise<void> => page.getByRole('link', { name, exact: true }).first().click();
const card = (name: string) => page.getByRole('region', { name, exact: true });

/** Checks accessibility, the width of a phone, and that the browser has nothing to report. */
async function isGood(): Promise<void> {
  expect(await seriousFindings(page)).toEqual([]);
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await fitsWindow(page);
  await page.setViewportSize(size);
  expect(complaints).toEqual([]);
}

interface StoredEndpoint {
  id: number;
  url: string;
  [field: string]: unknown;
}

const stored = async (id: number): Promise<StoredEndpoint> =>
  dataOf<StoredEndpoint>(await merchant.api.get(`/webhooks/endpoints/${id}`));
const created = async (body: Record<string, unknown> = {}): Promise<StoredEndpoint> =>
  dataOf<StoredEndpoint>(await merchant.api.post('/webhooks/endpoints', { url: `${receiver.url}/hooks`, ...body }));

async function open(id: number): Promise<void> {
  await navigate(page, `/endpoints/${id}`);
  await page.getByRole('heading', { name: 'Last 24 hours' }).waitFor();
}

describe('standing endpoints in the console', () => {
  it('the page pauses and resumes an endpoint, and shows why the service disabled it', async () => {
    const { id } = await created();
    await open(id);
    await press('Pause');
    await page.getByText('Its events are kept as pending deliveries').waitFor();
    expect(await stored(id)).toMatchObject({ state: 'paused' });
    await isGood();
    await press('Resume');
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    expect(await stored(id)).toMatchObject({ state: 'active' });
    await app.database.pool.query(
      `UPDATE webhook_endpoints SET status = 'disabled', status_reason = 'gone', status_changed_at = now() WHERE id = $1`,
      [id],
    );
    await page.getByText('the receiver answered 410 Gone.').waitFor();
    await press('Resume');
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  });

  it('the page rotates the secret and shows the new one once', async () => {
    const { id, secret } = await created();
    await open(id);
    await press('Rotate secret …');
    await page.getByLabel('Overlap (seconds)').fill('600');
    await page.getByLabel('Your own secret (optional)').fill('short');
    await press('Rotate');
    await page.locator('.field-error', { hasText: 'must be' }).waitFor();
    complaints.splice(0); // the refused request
    await page.getByLabel('Your own secret (optional)').fill('');
    await isGood();
    await press('Rotate');
    await page.getByRole('heading', { name: 'Secret rotated' }).waitFor();
    const rotated = await page
      .getByRole('dialog')
      .getByText(/^whsec_/)
      .innerText();
    expect(rotated).not.toBe(secret);
    await press('Close');
    await page.getByRole('heading', { name: 'Secret rotation in progress' }).waitFor();
    expect(await page.getByText(rotated).count()).toBe(0);
    expect((await stored(id)).secret_active_from).not.toBeNull();
  });

  it('the form changes only what was changed, and keeps or replaces the secrets', async () => {
    const bearer = { type: 'bearer', token: 'a-token-for-webhooks' };
    const { id } = await created({ headers: { 'X-One': '1', 'X-Two': '2' }, auth: bearer, max_per_second: 5 });
    await open(id);
    await follow('Edit');
    await page.getByText('Keep: X-One, X-Two').waitFor();
    expect(await page.getByText('a-token-for-webhooks').count()).toBe(0);
    await page.getByLabel('Description (optional)').fill('Billing');
    await page.getByLabel(/^Requests per second/).fill('');
    await isGood();
    await press('Save');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(await stored(id)).toMatchObject({
      description: 'Billing',
      max_per_second: null,
      header_names: ['X-One', 'X-Two'],
      auth: { type: 'bearer' },
    });

    await follow('Edit');
    await page.getByRole('group', { name: 'Headers (optional)' }).getByLabel('Replace or remove').check();
    await press('Remove header X-One');
    await page.getByLabel('Value', { exact: true }).fill('22');
    await page.getByRole('group', { name: 'Authentication (optional)' }).getByLabel('Replace or remove').check();
    await page.getByLabel('Type', { exact: true }).selectOption('none');
    await press('Save');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(await stored(id)).toMatchObject({ description: 'Billing', header_names: ['X-Two'], auth: null });
  });

  it('the page lists the endpoint’s deliveries and counts its attempts, and tests it as it is', async () => {
    const { id } = await created({ shop_ids: [shop], description: 'Of Berlin' });
    await merchant.pay('deliveries');
    await open(id);
    await card('Deliveries').locator('.badge', { hasText: 'delivered' }).first().waitFor();
    await card('Last 24 hours')
      .getByText(/^100 % of \d attempts?$/)
      .waitFor();
    await card('Deliveries').getByLabel('Status').selectOption('failed');
    await page.getByText('None is failed.').waitFor();
    await card('Test the receiver').getByLabel('Type of the sample').selectOption('refund.created');
    await press('Send a test');
    await page.getByRole('region', { name: 'Result of the test' }).getByText('delivered', { exact: true }).waitFor();
    const sample = receiver.requests.at(-1)!;
    expect(sample.json()).toMatchObject({ event: 'refund.created', test: true });
    expect(sample.headers).toMatchObject({ 'webhook-endpoint-id': String(id), 'webhook-test': 'true' });
    await isGood();
  });

  it('the page sends pending deliveries now, and failed ones again', async () => {
    const { id } = await created({ url: `${receiver.url}/broken`, shop_ids: [shop] });
    receiver.respondWith(({ url }) => (url === '/broken' ? 500 : 200));
    await merchant.pay('deliveries');
    // then the next attempt is due in ten minutes
    await eventually(async () => {
      const pending = await merchant.api.get(`/webhooks/deliveries?endpoint_id=${id}&status=pending`);
      return dataOf<{ attempt_count: number }[]>(pending).some(({ attempt_count: count }) => count === 3);
    });
    await open(id);
    await card('Deliveries').locator('.badge', { hasText: 'pending' }).first().waitFor();
    receiver.respondWith(200);
    await press('Send pending now …');
    await isGood();
    await press('Send now');
    await page.getByText(/^Brought forward: \d+ deliver/).waitFor();
    await card('Deliveries').locator('.badge', { hasText: 'delivered' }).first().waitFor();
    await press('Redeliver failed …');
    await page.getByText('No failed delivery can be sent again.').waitFor();
    await isGood();
    await press('Close');
  });

  it('the list filters by kind and shop, and shows a second page', async () => {
    for (let index = 0; index < 50; index++) await created({ url: `https://many-${index}.example/hooks` });
    await merchant.pay('deliveries', { webhook_endpoint: `${receiver.url}/of-the-payment` });
    await navigate(page, '/endpoints');
    await page.getByRole('link', { name: 'https://many-49.example/hooks' }).waitFor();
    expect(await page.getByRole('link', { name: 'https://many-0.example/hooks' }).count()).toBe(0);
    await press('Show more');
    await page.getByRole('link', { name: 'https://many-0.example/hooks' }).waitFor();
    await isGood();
    await page.getByLabel('Kind').selectOption('payment');
    await page.waitForURL(/kind=payment/);
    await page.getByRole('link', { name: receiver.url, exact: true }).waitFor();
    await page.getByRole('link', { name: 'https://many-49.example/hooks' }).waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('failing');
    await page.getByText('No endpoint matches').waitFor();
    await isGood();
  });

  it('the page deletes an endpoint after a confirmation, and changes no address of payments', async () => {
    const { id, url } = await created({ url: 'https://gone.example/hooks' });
    await open(id);
    await press('Delete …');
    await page.getByRole('button', { name: 'Cancel', exact: true }).and(page.locator(':focus')).waitFor();
    await isGood();
    await page.keyboard.press('Enter');
    expect(await stored(id)).toMatchObject({ url });
    await press('Delete …');
    await press('Delete');
    await page.getByRole('heading', { level: 1, name: 'Endpoints' }).waitFor();
    await page.getByRole('link', { name: url, exact: true }).waitFor({ state: 'detached' });
    expect((await merchant.api.get(`/webhooks/endpoints/${id}`)).status).toBe(404);

    const [address] = dataOf<[{ id: number }]>(await merchant.api.get('/webhooks/endpoints?kind=payment'));
    await open(address.id);
    expect(await page.getByRole('button', { name: /^(Pause|Delete …|Rotate secret …)$/ }).count()).toBe(0);
    await navigate(page, `/endpoints/${address.id}/edit`);
    await page.getByText('This endpoint cannot be edited').waitFor();
    await isGood();
  });

  it('a client without webhooks:write sees no button that changes something, and no secret', async () => {
    const { id } = await created();
    const scopes: Scope[] = ['webhooks:read', 'shops:read'];
    const reader = await insertClient(app.database, { merchantId: 1 }, scopes);
    await forgetAll(page);
    await signIn(page, app.service.url, '/endpoints', reader);
    await page.getByRole('link', { name: 'https://many-49.example/hooks' }).waitFor();
    expect(await page.getByRole('link', { name: 'Create an endpoint' }).count()).toBe(0);
    await open(id);
    await page.getByText('the right to read the webhook secrets').waitFor();
    const changes = /^(Pause|Edit|Rotate secret …|Delete …|Send pending now …|Redeliver failed …|Send a test|Show)$/;
    expect(await page.getByRole('button', { name: changes }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0);
    await isGood();
    for (const path of ['/endpoints/new', `/endpoints/${id}/edit`]) {
      await navigate(page, path);
      await page.getByText('You may not see this').waitFor();
    }
  });
});
