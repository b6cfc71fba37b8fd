import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { SCOPE_MEANINGS } from '../../../src/access/scopes.js';
import { insertClient } from '../../support/app/insert-client.js';
import { BOOTSTRAP_CLIENT } from '../../support/app/service.js';
import { fitsWindow, forgetAll, openPage, startBrowser, STEP_MS } from '../../support/browser/browser.js';
import { navigate, seriousFindings, settled, signIn, signInHere } from '../../support/browser/console.js';
import { type ConsoleFixture, startConsoleFixture } from '../../support/browser/console-fixture.js';

let fixture: ConsoleFixture;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  fixture = await startConsoleFixture(5);
  browser = await startBrowser();
  ({ page } = await openPage(browser));
  context = page.context();
}, 5 * STEP_MS);
beforeEach(() => forgetAll(page), STEP_MS);
afterAll(async () => {
  await browser?.close();
  await fixture?.stop();
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name });

/** A client of the fixture's merchant with the scope `shops:read` only. */
const aReader = () => insertClient(fixture.database, { merchantId: 1 }, ['shops:read']);

const PAGES = {
  '': 'To do',
  '/payments': 'Payments',
  '/disputes': 'Disputes',
  '/approvals': 'Approvals',
  '/reports': 'Reports',
  '/deliveries': 'Deliveries',
  '/endpoints': 'Endpoints',
  '/flows': 'Flows',
  '/shops': 'Shops',
  '/developers': 'Developers',
  '/people': 'People',
  '/audit': 'Audit',
  '/open-work': 'Open work',
};
type Path = keyof typeof PAGES;

/** The right that {@link aReader} lacks on each page. */
const LACKED: Partial<Record<Path, keyof typeof SCOPE_MEANINGS>> = {
  '': 'payments:read',
  '/payments': 'payments:read',
  '/disputes': 'payments:read',
  '/approvals': 'payments:read',
  '/reports': 'payments:read',
  '/deliveries': 'webhooks:read',
  '/endpoints': 'webhooks:read',
  '/flows': 'flows:read',
  '/developers': 'webhooks:read',
  '/people': 'audit:read',
  '/audit': 'audit:read',
  '/open-work': 'payments:read',
};

/** Opens each page, one after the other, and waits until nothing on it is loading. */
async function eachPage(check: (path: Path) => Promise<void>): Promise<void> {
  for (const [path, title] of Object.entries(PAGES) as [Path, string][]) {
    await navigate(page, path);
    await settled(page, title);
    await check(path);
  }
}

describe('the console of another merchant', () => {
  it('shows no data of the first merchant', async () => {
    const client = await insertClient(fixture.database);
    await signIn(page, fixture.service.url, '', client);
    await eachPage(async (path) => {
      const text = await page.locator('#content').innerText();
      for (const { name } of fixture.shops) expect([path, text.includes(name)]).toEqual([path, false]);
    });
    await navigate(page, `/payments/${fixture.payments[0]!.id}`);
    await page.getByText('No such payment').waitFor();
    await navigate(page, `/flows/${fixture.flow.id}`);
    await page.getByText('No such flow').first().waitFor();
    await page.getByRole('combobox', { name: 'Search' }).fill('session-1');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing found for session-1').waitFor();
  });
});

describe('the console of a client with few scopes', () => {
  it('names the missing right, and who can give it, on every page and fails on none', async () => {
    const client = await aReader();
    const { complaints } = watched(page);
    await signIn(page, fixture.service.url, '', client);
    await eachPage(async (path) => {
      const content = page.locator('#content');
      const lacked = LACKED[path];
      if (lacked !== undefined) {
        const named = content.getByText(`the right to ${SCOPE_MEANINGS[lacked]}`);
        await named
          .filter({ hasText: /Ask \S+/ })
          .first()
          .waitFor();
      }
      // not by its code
      const text = await content.innerText();
      expect([path, text]).toEqual([path, expect.not.stringMatching(/\w:(read|write|simulate)\b/)]);
      expect([path, await seriousFindings(page)]).toEqual([path, []]);
    });
    expect(complaints()).toEqual([]);
  });

  it('shows a payment without links to pages that the client may not read', async () => {
    const client = await insertClient(fixture.database, { merchantId: 1 }, ['payments:read']);
    const { id } = fixture.payments[0]!;
    await signIn(page, fixture.service.url, `/payments/${id}`, client);
    await page.getByRole('heading', { name: 'Decision' }).waitFor();
    for (const kind of ['shops', 'flows', 'deliveries'])
      expect(await page.locator(`#content a[href*="/${kind}/"]`).count()).toBe(0);
  });
});

describe('a session in the console', () => {
  const signOut = async (of: Page): Promise<void> => {
    if (!(await of.getByRole('button', { name: 'Sign out' }).isVisible())) await of.locator('.menu summary').click();
    await of.getByRole('button', { name: 'Sign out' }).click();
  };
  const isSession = /\/console\/session$/;

  it('that has ended is noticed by the search, and the next session sees none of its data', async () => {
    const client = await aReader();
    const path = `/payments/${fixture.payments[0]!.id}`;
    await signIn(page, fixture.service.url, path);
    await page.getByText(fixture.payments[0]!.payment_session_id).first().waitFor();
    await page.getByRole('combobox', { name: 'Search' }).fill('session-1');
    await context.clearCookies();
    await page.keyboard.press('Enter');
    await signInHere(page, client);
    await page.getByText('You may not see this').waitFor();
    await page.getByRole('link', { name: 'Shops' }).first().click();
    await page.getByRole('link', { name: 'Berlin' }).waitFor();
  });

  it('that has expired is reported on every page', async () => {
    const expires_at = new Date(Date.now() - 1_000).toISOString();
    await page.route(isSession, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: object };
      return route.fulfill({ response, json: { success: true, data: { ...data, expires_at } } });
    });
    for (const [path, title] of Object.entries(PAGES)) {
      await page.goto(`${fixture.service.url}/console${path}`);
      await signInHere(page);
      await settled(page, title);
      await context.clearCookies();
      await page.reload();
      await page.getByText('Your session has expired.').waitFor();
    }
    await page.unroute(isSession);
    await signInHere(page);
    await signOut(page);
    await page.getByLabel('Client id').waitFor();
    expect(await page.getByText(/session has/).count()).toBe(0);
  });

  it('that another tab has renewed is used to save, and only the changed fields are saved', async () => {
    const { id } = fixture.shops[3]!;
    await signIn(page, fixture.service.url, `/shops/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
    const credentials = { client_id: BOOTSTRAP_CLIENT.id, client_secret: BOOTSTRAP_CLIENT.secret };
    await context.request.post(`${fixture.service.url}/console/session`, { data: credentials });
    await fixture.api.patch(`/shops/${id}`, { name: 'renamed meanwhile' });
    await page.getByLabel('Takes new payments').selectOption('no');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body } = await fixture.api.get<{ data: object }>(`/shops/${id}`);
    expect(body.data).toMatchObject({ name: 'renamed meanwhile', enabled: false });
  });
});

describe('a page of the console', () => {
  it('says that it waits while the API is slow, and the user can leave it meanwhile', async () => {
    await signIn(page, fixture.service.url);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/audit\?/, async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await page.getByRole('link', { name: 'Audit' }).first().click();
    await page
      .getByRole('status', { name: /loading/i })
      .or(page.locator('.loading'))
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Flows' }).first().click();
    await page.getByRole('link', { name: 'checkout' }).waitFor();
    release();
  });

  it('whose files could not be loaded is loaded when the user tries again', async () => {
    await signIn(page, fixture.service.url);
    const isPage = /\/assets\/shops-.*\.css$/;
    await page.route(isPage, (route) => route.abort());
    await page.getByRole('link', { name: 'Shops' }).first().click();
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute(isPage);
    await again.click();
    await page.getByRole('link', { name: 'Berlin' }).waitFor();
  });

  it('says that the service does not answer when it is stopped, even if files of the page are missing', async () => {
    await signIn(page, fixture.service.url, '/nothing-here');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.route(/.*/, (route) => route.abort('connectionrefused'));
    for (const path of Object.keys(PAGES)) {
      // the alert of the page before may still be shown, so wait for this page's own request
      const probed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/console/settings'));
      await navigate(page, path);
      await probed;
      const alert = page.getByRole('alert').first();
      await alert.getByText('The service does not answer.').waitFor();
      expect([path, await page.locator('#content').innerText()]).toEqual([
        path,
        expect.not.stringMatching(/preload|CSS|Failed to fetch|all of it/),
      ]);
    }
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await heading('Open work').waitFor();
    await settled(page, 'Open work');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('says that the service does not answer when it is stopped while a page is shown', async () => {
    await signIn(page, fixture.service.url);
    await eachPage(() => Promise.resolve());
    await page.route(/.*/, (route) => route.abort('connectionrefused'));
    for (const path of Object.keys(PAGES)) {
      await navigate(page, path);
      await page.getByRole('alert').first().getByText('The service does not answer.').waitFor();
    }
  });

  it('ignores unknown parts of its address', async () => {
    await signIn(page, fixture.service.url, '/deliveries?status=unknown&shop_id=x&utm_source=mail');
    for (const path of [
      '',
      '/audit?actor=x&utm_source=mail',
      '/endpoints?status=x',
      `/flows/${fixture.flow.id}?version=x`,
    ]) {
      if (path !== '') await navigate(page, path);
      await page.getByRole('table').first().or(page.getByRole('tab').first()).waitFor();
      expect([path, await page.getByRole('alert').count()]).toEqual([path, 0]);
    }
  });

  it('removes its error when the past events could be read', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const [isStream, isPast] = [/\/events$/, /\/events\?/];
    await page.route(isStream, async (route) => {
      await held;
      await route.continue();
    });
    await page.route(isPast, (route) => route.fulfill({ status: 404, body: 'no such host' }));
    await signIn(page, fixture.service.url, '/developers');
    await page.getByRole('alert').waitFor();
    await page.unroute(isPast);
    release();
    await page.getByText('connected', { exact: true }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('closes the menu and the search result that another page left open', async () => {
    await signIn(page, fixture.service.url);
    const menu = page.locator('.menu[open]');
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('link', { name: 'Shops' }).first().click(),
    ]) {
      await page.locator('.menu summary').click();
      await menu.waitFor();
      await leave();
      await menu.waitFor({ state: 'detached' });
    }
    await page.getByRole('combobox', { name: 'Search' }).fill('no-such-id');
    await page.keyboard.press('Enter');
    const answer = page.getByText('Nothing found');
    await answer.waitFor();
    await page.getByRole('link', { name: 'Audit' }).first().click();
    await answer.waitFor({ state: 'detached' });
  });
});

describe('a dialog that is closed during its request', () => {
  /** Holds every request with this method and path until the returned function is called. */
  async function holding(method: string, path: RegExp): Promise<() => void> {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(path, async (route) => {
      if (route.request().method() === method) await held;
      await route.continue();
    });
    return release;
  }

  it('opens no page when the answer arrives', async () => {
    await signIn(page, fixture.service.url, '/flows');
    const release = await holding('POST', /\/flows$/);
    await page.getByRole('button', { name: 'Create a flow' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('made late');
    await dialog.getByLabel('Berlin').check();
    await dialog.getByRole('button', { name: 'Create and open' }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create a flow' }).first().click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('typed later');
    release();
    await page.locator('td', { hasText: 'made late' }).waitFor();
    await dialog.getByLabel('Berlin').check();
    await dialog.getByRole('button', { name: 'Create and open' }).click();
    await heading('typed later').waitFor();
  });
});

describe('the focus in the console', () => {
  const isFocused = (of: Locator): Promise<boolean> => of.and(page.locator(':focus')).isVisible();

  it('returns to the control that opened a dialog, and stays on a busy button', async () => {
    await signIn(page, fixture.service.url, `/shops/${fixture.shops[0]!.id}`);
    const edit = page.getByRole('button', { name: 'Edit', exact: true }).first();
    const dialog = page.getByRole('dialog');
    for (const close of ['Escape', 'Enter']) {
      await edit.click();
      await dialog.getByLabel('Name').focus();
      await page.keyboard.press(close);
      await dialog.waitFor({ state: 'detached' });
      expect([close, await isFocused(edit)]).toEqual([close, true]);
    }
    const check = page.getByRole('button', { name: 'Check', exact: true });
    await check.focus();
    await page.keyboard.press('Enter');
    await page.getByText('sandbox accepts these credentials').waitFor();
    expect(await isFocused(check)).toBe(true);
  });

  it('stays in a filter while the user types', async () => {
    await signIn(page, fixture.service.url, '/payments');
    const session = page.getByLabel('Session id');
    await session.fill('session-1');
    await page.keyboard.press('Tab');
    await page.waitForURL(/payment_session_id=session-1/);
    await page.keyboard.type('typed');
    expect(await page.getByLabel('Transaction id').inputValue()).toBe('typed');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.waitForURL(/payments$/);
    expect(await session.inputValue()).toBe('');
    await navigate(page, '/deliveries');
    const payment = page.getByLabel('Payment', { exact: true });
    await payment.fill(String(fixture.payments[0]!.id));
    await page.keyboard.press('Enter');
    await page.waitForURL(/payment_id=/);
    expect(await isFocused(payment)).toBe(true);
    await payment.fill('no number');
    await page.keyboard.press('Enter');
    await page.getByText('must be a positive integer').waitFor();
  });
});

describe('a name that is one very long word', () => {
  it('makes no page wider than its window', async () => {
    const { id } = fixture.shops[2]!;
    await fixture.api.patch(`/shops/${id}`, { name: 'Donaudampfschifffahrt'.repeat(9) });
    await page.setViewportSize({ width: 360, height: 800 });
    await signIn(page, fixture.service.url, `/shops/${id}`);
    await settled(page, 'Donaudampfschifffahrt');
    await fitsWindow(page);
    await navigate(page, `/payments/${fixture.payments[0]!.id}`);
    await page.getByText('Fallback shops').waitFor();
    await fitsWindow(page);
  });
});

describe('copying', () => {
  it('that the browser refuses, as over plain HTTP, shows an error', async () => {
    const { complaints } = watched(page);
    await signIn(page, fixture.service.url, `/shops/${fixture.shops[0]!.id}`);
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.getByRole('button', { name: 'Copy address' }).click();
    await page.getByRole('button', { name: 'Not copied' }).waitFor();
    expect(complaints()).toEqual([]);
  });
});

/** Collects the errors that the browser reports, except for requests that the API refuses. */
function watched(of: Page): { complaints: () => string[] } {
  const texts: string[] = [];
  of.on('console', (message) => message.type() === 'error' && texts.push(message.text()));
  of.on('pageerror', (error) => texts.push(error.message));
  return { complaints: () => texts.filter((text) => !/status of 40[13]/.test(text)) };
}
