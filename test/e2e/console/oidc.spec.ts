import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type InProcessService, startServiceInProcess } from '../../support/app/in-process-service.js';
import { forgetAll, openPage, startBrowser, STEP_MS } from '../../support/browser/browser.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { OidcProvider } from '../../support/servers/oidc-provider.js';

const AUDIENCE = 'https://payments.example';
const SCOPES = 'shops:read flows:read webhooks:read';

let database: TestDatabase;
let provider: OidcProvider;
let service: InProcessService;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  database = await createTestDatabase();
  // 1 is the first merchant of a new database
  provider = await OidcProvider.start({ audience: AUDIENCE, scopes: SCOPES, claims: { merchant_id: 1 } });
  service = await startServiceInProcess({ entry: 'api', databaseUrl: database.url, env: provider.settings });
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
async function logIn(at: Page): Promise<void> {
  await at.locator('input[name=login]').fill('ada');
  await at.locator('input[name=password]').fill('any');
  await at.locator('button[type=submit]').click();
}

const signInLink = (at: Page) => at.getByRole('link', { name: /^Sign in with 127\.0\.0\.1/ });
const cookieNames = async (of: Page): Promise<string[]> =>
  (await of.context().cookies()).filter(({ name }) => name.startsWith('payments_')).map(({ name }) => name);

describe('signing in to the console with an identity provider', () => {
  it('leads to the requested page, with the scopes that the provider granted', async () => {
    await page.goto(`${service.url}/console/shops?x=1`);
    await signInLink(page).click();
    await logIn(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${service.url}/console/shops?x=1`);
    await page.getByRole('heading', { name: 'Shops', level: 1 }).waitFor();
    const session = await page.evaluate(async () => (await fetch('/console/session')).json());
    expect(session).toMatchObject({
      data: { client_id: 'external:1:ada', merchant: { id: 1 }, scopes: expect.arrayContaining(SCOPES.split(' ')) },
    });
    const [cookie, ...others] = (await page.context().cookies()).filter(({ name }) => name.startsWith('payments_'));
    expect([cookie, others]).toMatchObject([{ name: 'payments_session', httpOnly: true, sameSite: 'Strict' }, []]);
  });

  it('reports that the provider denied the sign-in', async () => {
    await page.goto(`${service.url}/console`);
    await signInLink(page).click();
    await page.getByRole('link', { name: /cancel/i }).click();
    await page.getByRole('alert').getByText('The identity provider denied the sign-in.').waitFor();
    expect(await cookieNames(page)).toEqual([]);
  });

  it('refuses an answer to a sign-in that was not started in this browser', async () => {
    await page.goto(`${service.url}/console/oidc/callback?code=stolen&state=x`);
    await page.getByRole('alert').getByText('started in another browser').waitFor();
    expect(await cookieNames(page)).toEqual([]);
  });

  it('accepts an answer once', async () => {
    let callback = '';
    page.on('request', (request) => {
      if (request.url().includes('/oidc/callback')) callback ||= request.url();
    });
    await page.goto(`${service.url}/console`);
    await signInLink(page).click();
    await logIn(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.context().clearCookies({ name: 'payments_session' });
    await page.goto(callback);
    await page.getByRole('alert').getByText('started in another browser').waitFor();
    expect(await cookieNames(page)).toEqual([]);
  });

  it('redirects only to the console', async () => {
    const { headers } = await fetch(`${service.url}/console/oidc/login?to=//evil.example/`, { redirect: 'manual' });
    expect(headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/auth\?/);
    await page.goto(`${service.url}/console/oidc/login?to=https://evil.example/`);
    await logIn(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${service.url}/console`);
  });
});

describe('an identity provider with unusable tokens', () => {
  it('gives no session, and the log says why', async () => {
    const misconfigured = await OidcProvider.start({
      audience: AUDIENCE,
      scopes: SCOPES,
      claims: { merchant_id: 'one' },
    });
    const other = await startServiceInProcess({ entry: 'api', databaseUrl: database.url, env: misconfigured.settings });
    try {
      await page.goto(`${other.url}/console`);
      await signInLink(page).click();
      await logIn(page);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('alert').getByText('its token gives no access here').waitFor();
      expect(await cookieNames(page)).toEqual([]);
      expect(other.logs()).toContain('the token names no merchant');
      await misconfigured.stop();
      await page.goto(`${other.url}/console`);
      await signInLink(page).waitFor();
    } finally {
      await other.stop();
      await misconfigured.stop();
    }
  });

  it('causes a different error from a provider that does not answer', async () => {
    const gone = await OidcProvider.start({ audience: AUDIENCE, scopes: SCOPES, claims: { merchant_id: 1 } });
    const other = await startServiceInProcess({ entry: 'api', databaseUrl: database.url, env: gone.settings });
    try {
      await gone.stop();
      await page.goto(`${other.url}/console`);
      await signInLink(page).click();
      await page.getByRole('alert').getByText('does not answer').waitFor();
    } finally {
      await other.stop();
    }
  });
});

describe('the console without an identity provider or switched off', () => {
  it('offers no sign-in with a provider, and serves nothing when it is switched off', async () => {
    const own = await startServiceInProcess({ entry: 'api', databaseUrl: database.url });
    const off = await startServiceInProcess({ entry: 'api', databaseUrl: database.url, env: { CONSOLE: 'false' } });
    try {
      await page.goto(`${own.url}/console`);
      await page.getByLabel('Client id').waitFor();
      expect(await signInLink(page).count()).toBe(0);
      expect((await fetch(`${own.url}/console/oidc/login`)).status).toBe(404);
      for (const path of ['/console', '/console/session', '/console/settings'])
        expect((await fetch(off.url + path)).status).toBe(404);
    } finally {
      await own.stop();
      await off.stop();
    }
  });
});
