import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openPage, startBrowser, STEP_MS } from '../support/browser/browser.js';
import { BOOTSTRAP_CLIENT, type RunningService, startService } from '../support/app/service.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';

let database: TestDatabase;
let service: RunningService;
let browser: Browser;
let page: Page;
/** What the browser complains of, such as a policy that stops a script. */
let complaints: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ entry: 'all', databaseUrl: database.url });
  browser = await startBrowser();
  ({ page, complaints } = await openPage(browser));
}, 5 * STEP_MS);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await database?.drop();
});

describe('a newcomer at Swagger UI', () => {
  it(
    'gets from the client id to the delivery in six steps, with what is filled in',
    async () => {
      await page.goto(`${service.url}/docs`);
      await authorize();
      expect(await execute('Shops_create')).toMatchObject([201, { id: 1 }]);
      expect(await execute('Flows_create')).toMatchObject([201, { name: 'checkout' }]);
      const [status, payment] = await execute('Payments_create');
      expect([status, payment]).toMatchObject([201, { id: 1, status: 'completed' }]);
      expect(await execute('Payments_find')).toMatchObject([200, { id: 1, status: 'completed' }]);
      expect(await execute('ShopWebhooks_list')).toMatchObject([
        200,
        [
          { payment_id: 1, payment_status: 'completed' },
          { payment_id: 1, payment_status: 'processing' },
        ],
      ]);
      expect(complaints).toEqual([]);
    },
    10 * STEP_MS,
  );
});

/** Client id and secret; no scope is ticked. */
async function authorize(): Promise<void> {
  await page.locator('.auth-wrapper button.authorize').first().click();
  const form = page.locator('.auth-container', { hasText: 'clientCredentials' });
  await form.locator('input[data-name="clientId"]').fill(BOOTSTRAP_CLIENT.id);
  await form.locator('input[data-name="clientSecret"]').fill(BOOTSTRAP_CLIENT.secret);
  await form.locator('button.authorize').click();
  await form.getByText('Authorized', { exact: true }).waitFor();
  await form.locator('button.btn-done').click();
}

/** Opens the operation, tries it out as it is filled in, and reads the status and the data of the answer. */
async function execute(operationId: string): Promise<[number, unknown]> {
  const block = page.locator(`.opblock[id$="-${operationId}"]`);
  await block.locator('.opblock-summary-control').click();
  await block.locator('.try-out__btn').click();
  const answered = page.waitForResponse((response) => response.request().method() !== 'OPTIONS');
  await block.locator('button.execute').click();
  const response = await answered;
  // the answer is there to see as well
  const shown = await block.locator('.live-responses-table .response-col_status').nth(1).textContent();
  expect(shown).toContain(String(response.status()));
  return [response.status(), ((await response.json()) as { data: unknown }).data];
}
