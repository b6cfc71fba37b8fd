import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type InProcessService, startServiceInProcess } from '../../support/app/in-process-service.js';
import { forgetAll, openPage, startBrowser, STEP_MS } from '../../support/browser/browser.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { OidcProvider } from '../../support/servers/oidc-provider.js';

let database: TestDatabase;
let provider: OidcProvider;
let service: InProcessService;
let browser: Browser;
let page: Page;

const serviceWith = (env: Record<string, string>): Promise<InProcessService> =>
  startServiceInProcess({ entry: 'api', databaseUrl: database.url, env });

beforeAll(async () => {
  database = await createTestDatabase();
  // 1 is the first merchant of a new database
  const options = { audience: 'https://payments.example', scopes: 'shops:read', claims: { merchant_id: 1 } };
  provider = await OidcProvider.start(options);
  service = await serviceWith(provider.settings);
  browser = await startBrowser();
  ({ page } = await openPage(browser));
}, 5 * STEP_MS);
beforeEach(() => forgetAll(page), STEP_MS);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await provider?.stop();
  await database?.drop();
});

/** Signs in on the pages of the identity provider. */
async function logIn(login: string): Promise<void> {
  await signInLink().click();
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

const signInLink = () => page.getByRole('link', { name: /^Sign in with 127\.0\.0\.1/ });
const alerts = (text: string) => page.getByRole('alert').getByText(text).waitFor();

describe('signing in to the console with an identity provider, in a browser', () => {
  it('leads to the requested page', async () => {
    await page.goto(`${service.url}/console/shops?x=1`);
    await logIn('ada');
    await page.waitForURL(`${service.url}/console/shops?x=1`);
    await page.getByRole('heading', { name: 'Shops', level: 1 }).waitFor();
    const ours = (await page.context().cookies()).filter(({ name }) => name.startsWith('payments_'));
    expect(ours).toMatchObject([{ name: 'payments_session', httpOnly: true, sameSite: 'Strict' }]);
  });

  it('says why it has failed', async () => {
    await page.goto(`${service.url}/console`);
    await signInLink().click();
    await page.getByRole('link', { name: /cancel/i }).click();
    await alerts('The identity provider denied the sign-in.');
    await page.goto(`${service.url}/console/oidc/callback?code=stolen&state=x`);
    await alerts('started in another browser');
    await logIn('guest');
    await alerts('you have no access here yet. Ask who manages your account');
  });

  it('says that the provider does not answer', async () => {
    const other = await serviceWith({ ...provider.settings, AUTH_ISSUER: 'http://127.0.0.1:1' });
    await page.goto(`${other.url}/console`);
    await page.getByRole('link', { name: /^Sign in with/ }).click();
    await alerts('does not answer');
    await other.stop();
  });

  it('the console does not offer it without a provider', async () => {
    const own = await serviceWith({});
    await page.goto(`${own.url}/console`);
    await page.getByLabel('Client id').waitFor();
    expect(await page.getByRole('link', { name: /^Sign in with/ }).count()).toBe(0);
    await own.stop();
  });
});
