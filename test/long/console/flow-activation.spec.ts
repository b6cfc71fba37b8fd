import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { ApiClient } from '../../support/app/api-client.js';
import { insertClient, type InsertedClient } from '../../support/app/insert-client.js';
import { dataOf, type Merchant, type ShopAnswer } from '../../support/app/merchant.js';
import { fitsWindow, STEP_MS } from '../../support/browser/browser.js';
import { navigate, seriousFindings, settled, signIn } from '../../support/browser/console.js';
import { type ConsoleApp, startConsoleApp } from '../../support/browser/console-app.js';
import { eventually } from '../../support/eventually.js';

const PAYMENTS = 24;
const WIDE = { width: 1440, height: 900 };
/** The rules of axe-core that depend on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

let app: ConsoleApp;
/** The author of the versions. The console is used by Grace, another client. */
let author: Merchant;
let shops: ShopAnswer[];
let grace: InsertedClient;
let flow: { id: number; name: string };
let page: Page;

beforeAll(async () => {
  app = await startConsoleApp({ env: { FLOW_ACTIVATION_APPROVALS: '1' }, viewport: WIDE });
  ({ merchant: author, page } = app);
  const { database } = app;
  shops = [await author.createShop('Berlin'), await author.createShop('Paris')];
  flow = await author.createFlow(
    'checkout',
    shops.map(({ id }) => id),
  );
  for (let sent = 0; sent < PAYMENTS; sent++)
    await author.pay('checkout', { customer: { email: `p${sent}@a.example` } });
  const { rows } = await database.pool.query<{ merchant_id: number }>('SELECT merchant_id FROM flows');
  grace = await insertClient(database, { merchantId: rows[0]!.merchant_id });
  await database.pool.query(
    `UPDATE api_clients SET name = CASE client_id WHEN $1 THEN 'Grace' ELSE 'Ada, on call' END`,
    [grace.id],
  );
  await signIn(page, app.service.url, `/flows/${flow.id}?tab=versions`, grace);
}, 5 * STEP_MS);
afterAll(() => app?.stop());

const dialog = (): Locator => page.getByRole('dialog');
const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
const version = (number: number): Locator =>
  page.getByRole('table', { name: 'Versions, newest first' }).locator('tbody tr', {
    has: page.getByRole('link', { name: `Version ${number}`, exact: true }),
  });

async function shows(locator: Locator, text: string | RegExp): Promise<void> {
  await locator.filter({ hasText: text }).first().waitFor();
}

/** The dialog asks before it acts: the focus is on Cancel, and Escape closes it. Then it is opened again. */
async function opensWithCare(opener: Locator): Promise<void> {
  await opener.click();
  await dialog().locator('button:focus').filter({ hasText: 'Cancel' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await opener.click();
}

async function isAccessible(): Promise<void> {
  expect(await seriousFindings(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await seriousFindings(page, COLOR_RULES)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

async function fitsPhone(): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await fitsWindow(page);
  await page.setViewportSize(WIDE);
}

const draftVersion = (changes: object): Promise<unknown> =>
  author.api
    .post(`/flows/${flow.id}/versions`, {
      strategy: 'weighted',
      shops: shops.map(({ id }) => ({ shop_id: id, weight: 1 })),
      ...changes,
    })
    .then(dataOf);

/** One scenario: each test continues where the test before has ended. */
describe('the activation of a version in the console', () => {
  it('shows who wrote a version and lets another client approve it, with a reason', async () => {
    await draftVersion({ max_attempts: 2 });
    await page.reload();
    await settled(page, 'checkout');
    await shows(version(2), 'needs approval');
    await shows(version(2), 'by Ada, on call');
    await opensWithCare(button('Approve version 2'));
    await shows(dialog(), 'is tried with up to 2 shops; was 1');
    await shows(dialog().getByRole('region', { name: 'Backtest of the version' }), `of ${PAYMENTS} payments`);
    await dialog().getByLabel('Reason').fill('Checked with the contract');
    await isAccessible();
    await dialog().getByRole('button', { name: 'Approve' }).dblclick();
    await shows(version(2), /Grace \(you\)“?Checked with the contract/);
    expect(await version(2).getByText('Checked with the contract').count()).toBe(1);
  });

  it('activates an approved version once, with a reason', async () => {
    await page.getByRole('link', { name: 'Version 2', exact: true }).click();
    await opensWithCare(button('Activate version 2 …'));
    await dialog().getByLabel('Reason').fill('Paris costs less');
    await dialog().getByRole('button', { name: 'Activate for all' }).dblclick();
    await page.getByText('Version 2 is active').waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await shows(version(2), 'Paris costs less');
    const activations = await author.api.get<{ data: unknown[] }>('/audit?action=flow.version_activated');
    expect(activations.body.data).toHaveLength(1);
  });

  it('rolls back to a retired version without an approval', async () => {
    await opensWithCare(button('Roll back to this version: 1'));
    await shows(dialog(), 'A payment is tried with one shop only; was 2');
    await dialog().getByLabel('Reason').fill('Too many declines in Paris');
    await dialog().getByRole('button', { name: 'Roll back' }).click();
    await page.getByText('Version 1 is active').waitFor();
    await shows(version(1), 'Too many declines in Paris');
    await isAccessible();
  });

  it('says what to do when unsaved changes need an approval, and that their author cannot approve them', async () => {
    await page.getByRole('tab', { name: 'Form' }).click();
    await page.getByLabel('Maximum attempts').fill('3');
    await button('Save and activate …').click();
    await dialog().getByRole('button', { name: 'Activate for all' }).click();
    await shows(dialog(), 'flow_approval_required');
    await shows(dialog(), 'Propose the changes');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await button('Save as a draft').click();
    await page.getByText('You wrote this version, so another client must approve it first.').waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await shows(version(3), 'needs approval');
    expect(await button('Approve version 3').count()).toBe(0);
    await fitsPhone();
  });
});

describe('a rollout in the console', () => {
  const tab = (name: string): Promise<void> => page.getByRole('tab', { name }).click();
  const result = (number: number): Locator => page.getByRole('region', { name: `Version ${number}`, exact: true });
  const badge = (percent: number): Locator => page.getByRole('link', { name: `version 4: ${percent} %` });

  it('starts with a part of the payments', async () => {
    await tab('Rollouts');
    await page.getByRole('heading', { name: 'No rollouts yet' }).waitFor();
    await draftVersion({ max_attempts: 2 });
    const approver = await ApiClient.login(app.service.url, grace.id, grace.secret);
    dataOf(await approver.post(`/flows/${flow.id}/versions/4/approve`, {}));
    await navigate(page, `/flows/${flow.id}?version=4`);
    await button('Activate version 4 …').click();
    await dialog().getByLabel('Reason').fill('Paris costs less');
    await dialog().getByRole('button', { name: 'Roll out to a part …' }).click();
    await dialog().locator('button:focus').filter({ hasText: 'Cancel' }).waitFor();
    expect(await dialog().getByLabel('Reason').inputValue()).toBe('Paris costs less');
    await dialog().getByLabel('Percent of the payments').fill('101');
    await dialog().getByLabel('Divide by').selectOption('payment');
    await dialog().getByRole('button', { name: 'when: add a test' }).click();
    await dialog().getByLabel('when, currency: value').fill('EUR');
    await isAccessible();
    await dialog().getByRole('button', { name: 'Start the rollout' }).click();
    await shows(dialog(), /must be from 0 to 100/);
    await dialog().getByLabel('Percent of the payments').fill('50');
    await dialog().getByRole('button', { name: 'Start the rollout' }).dblclick();
    await page.getByRole('heading', { name: 'Version 4 gets 50 % of the payments' }).waitFor();
    await badge(50).waitFor();
  });

  it('shows the results of both versions while payments arrive', async () => {
    for (let sent = 0; sent < 12; sent++) {
      await author.pay('checkout', sent % 3 === 0 ? { payment_method: { token: 'tok_decline' } } : {});
    }
    await page.getByText('payments in euros').waitFor();
    await eventually(async () => {
      const counts = await page.locator('.compared-facts dd:nth-of-type(1)').allTextContents();
      expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(12);
    });
    await shows(result(1), /approved/);
    await shows(result(4), /of 50 % planned/);
    await shows(page.getByRole('region', { name: 'Guardrail' }), 'It waits until each version has 100 payments');
    await isAccessible();
    await fitsPhone();
  });

  it('explains the version of a simulated payment, and lets no other version become active', async () => {
    await tab('Form');
    await shows(page.locator('.pick'), /because bucket \d+ is (not )?among the 5000 of 10000/);
    await tab('Versions');
    await version(4).getByRole('link', { name: 'rolled out: 50 %' }).waitFor();
    await button('Roll back to this version: 2').click();
    await shows(dialog(), 'A rollout of version 4 is running');
    expect(await dialog().getByRole('button', { name: 'Roll back' }).isDisabled()).toBe(true);
    await dialog().getByRole('link', { name: 'Open the rollout' }).click();
    await result(4).waitFor();
  });

  it('changes its percent, and ends when a person aborts it', async () => {
    await opensWithCare(button('Change percent …'));
    await dialog().getByLabel('Percent of the payments for version 4').fill('75');
    await dialog().getByLabel('Reason').fill('No more declines so far');
    await dialog().getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('heading', { name: 'Version 4 gets 75 % of the payments' }).waitFor();
    await shows(page.locator('.stages li'), /75 % since .*No more declines so far/);
    await page.getByRole('link', { name: 'Flows' }).click();
    await badge(75).click();
    await opensWithCare(button('Abort …'));
    await dialog().getByLabel('Reason').fill('Too expensive');
    await dialog().getByRole('button', { name: 'Abort', exact: true }).dblclick();
    await shows(page.getByRole('heading', { name: 'Rollout of version 4' }), 'aborted by a person');
    await shows(page.getByRole('table', { name: 'Ended rollouts' }), 'Too expensive');
    await badge(75).waitFor({ state: 'detached' });
  });

  it('activates its version for all when a person promotes it, and is listed with further pages', async () => {
    await app.database.pool.query(
      `WITH added AS (
          INSERT INTO flow_rollouts (flow_id, merchant_id, version, base_version, percent, key, stage, status, end_cause,
            end_reason, started_by, ended_by, started_at, updated_at, ended_at)
          SELECT flow_id, merchant_id, version, base_version, 5, key, 1, 'aborted', 'guardrail', 'Approvals dropped',
            started_by, 'system', started_at, updated_at, ended_at FROM flow_rollouts, generate_series(1, 50)
          RETURNING id, percent, started_by)
        INSERT INTO flow_rollout_stages (rollout_id, stage, percent, changed_by)
        SELECT id, 1, percent, started_by FROM added`,
    );
    dataOf(await author.api.post(`/flows/${flow.id}/rollouts`, { version: 4, percent: 20, key: 'customer' }));
    await page.reload();
    await navigate(page, `/flows/${flow.id}?tab=rollouts`);
    const ended = page.getByRole('table', { name: 'Ended rollouts' });
    await shows(ended, 'aborted by its guardrail');
    await button('Show more').click();
    await shows(ended, 'aborted by a person');
    await ended.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Rollout of version 4' }).waitFor();
    await badge(20).click();
    await opensWithCare(button('Promote …'));
    await dialog().getByRole('button', { name: 'Activate for all' }).dblclick();
    await page.getByText('Version 4 is active').waitFor();
    await shows(page.getByRole('heading', { name: 'Rollout of version 4' }), 'promoted by a person');
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('causes no browser errors except for refused requests, which the pages show', () => {
    expect(app.complaints.filter((each) => !each.startsWith('Failed to load resource'))).toEqual([]);
  });
});
