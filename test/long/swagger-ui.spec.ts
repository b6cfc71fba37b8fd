import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openPage, startBrowser, STEP_MS } from '../support/browser/browser.js';
import { BOOTSTRAP_CLIENT, type RunningService, startService } from '../support/app/service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';

interface Operation {
  operationId: string;
  responses: Record<string, unknown>;
}
type PathItem = Record<string, Operation>;
interface Document {
  paths: Record<string, PathItem>;
  components: { schemas: Record<string, unknown> };
  webhooks?: unknown;
}

const STEPS = ['Shops_create', 'Flows_create', 'Payments_create', 'Payments_find', 'ShopWebhooks_list'];

let database: TestDatabase;
let service: RunningService;
let browser: Browser;
let page: Page;
/** Errors that the browser reports, such as a script that a policy blocks. */
let complaints: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  [service, browser] = await Promise.all([startService({ entry: 'all', databaseUrl: database.url }), startBrowser()]);
  ({ page, complaints } = await openPage(browser));
}, 5 * STEP_MS);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await database?.drop();
});

describe('a new user of Swagger UI', () => {
  it(
    'finds every operation of the document, on a page that violates no policy of its own',
    async () => {
      await page.goto(`${service.url}/docs`);
      const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
      const documented = Object.values(paths).flatMap((item) => Object.values(item).map((each) => each.operationId));
      const shown = page.locator('.opblock');
      await eventually(async () => (await shown.count()) >= documented.length);
      const ids = await page.evaluate<string[]>('[...document.querySelectorAll(".opblock")].map(({ id }) => id)');
      expect(ids.map((id) => id.replace(/^operations-\w+-/, '')).sort()).toEqual(documented.sort());
      expect(complaints).toEqual([]);
    },
    10 * STEP_MS,
  );

  it(
    'gets from the client id to the delivery in six steps, with the suggested values',
    async () => {
      await showOnly(STEPS);
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

/**
 * Reduces the page's document to these operations, their successful answers and the schemas that they use. Swagger UI
 * reads the whole document and renders every operation again after each click, for more than a second.
 */
async function showOnly(operationIds: string[]): Promise<void> {
  await page.route('**/swagger-ui-init.js', async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    const body = script.replace(/(?<=let options = )\{[^]*?\n\}(?=;)/, (text) => {
      const { swaggerDoc, ...options } = JSON.parse(text) as { swaggerDoc: Document };
      return JSON.stringify({ ...options, swaggerDoc: only(swaggerDoc, operationIds) });
    });
    await route.fulfill({ response, body });
  });
}

function only({ webhooks: _, ...document }: Document, operationIds: string[]): Document {
  const paths: Document['paths'] = {};
  for (const [path, item] of Object.entries(document.paths)) {
    const asked = Object.entries(item).filter(([, { operationId }]) => operationIds.includes(operationId));
    const succeeding = asked.map(([method, operation]) => [method, { ...operation, responses: successes(operation) }]);
    if (asked.length > 0) paths[path] = Object.fromEntries(succeeding) as PathItem;
  }
  const { schemas, ...components } = document.components;
  const needed = new Set<string>();
  const need = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (needed.has(name!)) continue;
      needed.add(name!);
      need(schemas[name!]);
    }
  };
  need([paths, components]);
  const left = Object.fromEntries(Object.entries(schemas).filter(([name]) => needed.has(name)));
  return { ...document, paths, components: { ...components, schemas: left } };
}

const successes = ({ responses }: Operation): Operation['responses'] =>
  Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith('2')));

/** Enters client id and secret without a scope. */
async function authorize(): Promise<void> {
  await page.locator('.auth-wrapper button.authorize').first().click();
  const form = page.locator('.auth-container', { hasText: 'clientCredentials' });
  await form.locator('input[data-name="clientId"]').fill(BOOTSTRAP_CLIENT.id);
  await form.locator('input[data-name="clientSecret"]').fill(BOOTSTRAP_CLIENT.secret);
  await form.locator('button.authorize').click();
  await form.getByText('Authorized', { exact: true }).waitFor();
  await form.locator('button.btn-done').click();
}

/** Opens the operation, executes it with the suggested values, and returns the status and the data of the answer. */
async function execute(operationId: string): Promise<[number, unknown]> {
  const block = page.locator(`.opblock[id$="-${operationId}"]`);
  await block.locator('.opblock-summary-control').click();
  await block.locator('.try-out__btn').click();
  // clicks by script, because an icon may still be moving
  const answered = page.waitForResponse((response) => response.request().resourceType() === 'fetch');
  await block.locator('button.execute').click();
  const response = await answered;
  // the page shows the answer, too
  const shown = await block.locator('.live-responses-table .response-col_status').nth(1).textContent();
  expect(shown).toContain(String(response.status()));
  return [response.status(), ((await response.json()) as { data: unknown }).data];
}
