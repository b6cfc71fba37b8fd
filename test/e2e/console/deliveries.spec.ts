import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { ApiClient } from '../../support/app/api-client.js';
import { dataOf, Merchant } from '../../support/app/merchant.js';
import { type InProcessService, startServiceInProcess } from '../../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT } from '../../support/app/service.js';
import { fitsWindow, openPage, startBrowser, STEP_MS } from '../../support/browser/browser.js';
import { seriousFindings, signIn } from '../../support/browser/console.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

interface Listed {
  id: number;
  status: string;
}

let database: TestDatabase;
let receiver: Receiver;
let service: InProcessService;
let client: ApiClient;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  // 410 ends a delivery at its first attempt
  [database, receiver] = await Promise.all([createTestDatabase(), startReceiver({ status: 410, body: 'gone' })]);
  // requests are counted: none may be sent twice because this process is busy
  const env = { WEBHOOK_TIMEOUT_MS: '60000' };
  service = await startServiceInProcess({ entry: 'all', databaseUrl: database.url, env });
  client = await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret);
  await failFour();
  browser = await startBrowser();
  ({ page, complaints } = await openPage(browser));
}, 5 * STEP_MS);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await receiver?.stop();
  await database?.drop();
});

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
  it(
    'tells why one failed, sends it again, verifies it, and then all the others',
    async () => {
      await signIn(page, service.url, '/deliveries?status=failed');
      const first = String((await failed())[0]!.id);
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole('link', { name: first, exact: true }).click();
      await tellsOf(first);
      expect(await seriousFindings(page)).toEqual([]);
      await sendsAgain();
      await verifies();
      await page.getByRole('link', { name: 'All deliveries' }).click();
      await page.getByLabel('Status').selectOption('failed');
      await sendsAllAgain();
      await audited();
      await fits();
      // a page that nobody is signed in to asks for the session first
      expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
    },
    10 * STEP_MS,
  );
});

async function tellsOf(id: string): Promise<void> {
  await page.getByRole('heading', { name: `Delivery ${id} failed` }).waitFor();
  await page.getByText('What to do: send it to another address.').first().waitFor();
  const { request_body: body } = dataOf<{ request_body: string }>(await client.get(`/webhooks/deliveries/${id}`));
  expect(await page.getByLabel('Body of the request').textContent()).toBe(body);
}

async function sendsAgain(): Promise<void> {
  receiver.requests.length = 0;
  receiver.respondWith(200);
  await button('Send again …').click();
  expect(await seriousFindings(page)).toEqual([]);
  await dialog().getByRole('button', { name: 'Send again', exact: true }).click();
  await page.getByRole('heading', { name: /^Delivery \d+ delivered$/ }).waitFor();
  expect(receiver.requests).toHaveLength(1);
}

/** With what the receiver got; then with a body that was changed on its way. */
async function verifies(): Promise<void> {
  const { headers, body } = receiver.requests[0]!;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  await page.getByLabel('Headers', { exact: true }).fill(lines.join('\n'));
  await button('Verify').click();
  await page.getByText('The signature is right.').waitFor();
  await page.getByLabel('Body, as the receiver saw it').fill(`${body.toString()} `);
  await button('Verify').click();
  await page.getByText('changed_whitespace').waitFor();
}

async function sendsAllAgain(): Promise<void> {
  await button('Send all that match again …').click();
  await dialog().getByText('3 deliveries match').waitFor();
  await dialog().getByRole('button', { name: 'Send 3 again' }).click();
  await page.getByText('Back in the queue: 3 failed deliveries of all shops').waitFor();
  await page.getByRole('heading', { name: 'No delivery matches' }).waitFor();
  await eventually(async () => expect(await deliveries('delivered')).toHaveLength(4));
}

async function audited(): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('cell', { name: 'Deliveries sent again by a filter' }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByLabel('Object', { exact: true }).selectOption('delivery');
  await button('Download 1 as CSV').click({ trial: true });
  const [download] = await Promise.all([page.waitForEvent('download'), button('Download 1 as CSV').click()]);
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv).toContain(`,delivery.retried,delivery,`);
}

async function fits(): Promise<void> {
  await page.setViewportSize({ width: 390, height: 800 });
  for (const path of ['/audit', '/deliveries', `/deliveries/${(await deliveries('delivered'))[0]!.id}`]) {
    await page.goto(`${service.url}/console${path}`);
    await page.getByRole('table').first().waitFor();
    await fitsWindow(page);
  }
}
