import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { dataOf, type Merchant } from '../../support/app/merchant.js';
import { STEP_MS } from '../../support/browser/browser.js';
import { navigate, seriousFindings, signIn } from '../../support/browser/console.js';
import { type ConsoleApp, startConsoleApp } from '../../support/browser/console-app.js';
import { eventually } from '../../support/eventually.js';
import type { TestDatabase } from '../../support/servers/database.js';

const ROLLOUT = { version: 2, percent: 50, key: 'payment', guardrail: { max_drop_points: 5, min_payments: 50 } };

let app: ConsoleApp;
let database: TestDatabase;
let merchant: Merchant;
let page: Page;
let flow: { id: number; name: string };

beforeAll(async () => {
  app = await startConsoleApp();
  ({ database, merchant, page } = app);
  const shop = await merchant.createShop('Berlin');
  flow = await merchant.createFlow('checkout', [shop.id]);
  const draft = { strategy: 'priority', shops: [{ shop_id: shop.id }] };
  dataOf(await merchant.api.post(`/flows/${flow.id}/versions`, draft));
  await signIn(page, app.service.url, '/flows');
}, 5 * STEP_MS);
afterAll(() => app?.stop());

/** Starts a rollout, and opens its page. */
async function startRollout(): Promise<number> {
  const { id } = dataOf<{ id: number }>(await merchant.api.post(`/flows/${flow.id}/rollouts`, ROLLOUT));
  // no event reports a start, so an open page would show it up to ten seconds later
  await page.goto(`${app.service.url}/console/flows/${flow.id}?tab=rollouts`);
  await page.getByRole('heading', { name: 'Version 2 gets 50 % of the payments' }).waitFor();
  return id;
}

/** Counts of payments: the candidate approves 50 % and the base 90 %. Then the worker checks the guardrail. */
async function crossGuardrail(rollout: number): Promise<void> {
  await database.pool.query(
    `INSERT INTO flow_rollout_counts (rollout_id, stage, candidate, cluster, slot, payments, approved, declined)
      SELECT $1, 1, candidate, cluster, 0, 10, approved, 10 - approved
      FROM generate_series(0, 39) cluster, (VALUES (true, 5), (false, 9)) AS side (candidate, approved)`,
    [rollout],
  );
  await eventually(async () => {
    const due = `UPDATE scheduled_tasks SET next_run_at = now() WHERE name = 'rollout guardrails'`;
    return (await database.pool.query(due)).rowCount === 1;
  });
}

const title = (): Locator => page.getByRole('heading', { name: 'Rollout of version 2' });
const dialog = (): Locator => page.getByRole('dialog');
const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
const ended = (): Locator => page.getByRole('table', { name: 'Ended rollouts' });
const shows = (locator: Locator, text: string): Promise<void> => locator.filter({ hasText: text }).first().waitFor();
const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent');
const rowsAreComplete = async (): Promise<boolean> => {
  const { rows } = await database.pool.query<{ ended: number }>(
    `SELECT count(*)::integer AS ended FROM flow_rollouts WHERE status <> 'running'`,
  );
  return (await ended().locator('tbody tr').count()) === rows[0]!.ended;
};

/** One scenario: later tests open rollouts of earlier ones. */
describe('a rollout that changes while a page is open', () => {
  it('shows an abort by its guardrail, the reason and the numbers without a reload, and leaves the focus', async () => {
    const rollout = await startRollout();
    await page.evaluate('globalThis.isLoadedOnce = true');
    await page.getByRole('tab', { name: 'Rollouts' }).focus();
    const live = await page.locator('h2 [aria-live="polite"]').elementHandle();
    await crossGuardrail(rollout);
    await shows(title(), 'aborted by its guardrail');
    // a screen reader announces a change of the element that was there before
    expect(await live.textContent()).toBe('Rollout of version 2 aborted by its guardrail');
    const guardrail = page.getByRole('region', { name: 'Guardrail' });
    await shows(guardrail, 'new payments got version 1 again. The approval rate of version 2 is 40 points lower.');
    await shows(page.getByRole('region', { name: 'Version 1', exact: true }), '90 % approved');
    await shows(page.getByRole('region', { name: 'Version 2', exact: true }), '50 % approved');
    await eventually(rowsAreComplete);
    expect(await button(/^(Change percent|Promote|Abort) …$/).count()).toBe(0);
    await page.getByRole('link', { name: 'version 2: 50 %' }).waitFor({ state: 'detached' });
    expect(await focused()).toBe('Rollouts');
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.evaluate('globalThis.isLoadedOnce')).toBe(true);
  });

  it('moves the focus from a button that disappears to the title', async () => {
    const rollout = await startRollout();
    await button('Promote …').focus();
    await crossGuardrail(rollout);
    await shows(title(), 'aborted by its guardrail');
    expect(await focused()).toBe('Rollout of version 2 aborted by its guardrail');
  });

  it('keeps an open dialog with its text, and says why the change is not possible', async () => {
    const rollout = await startRollout();
    await button('Promote …').click();
    await dialog().getByLabel('Reason').fill('Berlin approves more');
    await crossGuardrail(rollout);
    await shows(dialog().getByRole('alert'), 'The rollout has ended meanwhile: aborted by its guardrail.');
    const typed = dialog().locator('textarea:focus');
    expect(await typed.inputValue()).toBe('Berlin approves more');
    const action = dialog().getByRole('button', { name: 'Activate for all' });
    expect(await action.getAttribute('aria-disabled')).toBe('true');
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await shows(title(), 'aborted by its guardrail');
    expect(await page.locator('#content:focus').count()).toBe(1);
  });

  it('gives the focus to an ended rollout that a user opens from the list', async () => {
    await eventually(rowsAreComplete);
    await ended().getByRole('link').last().press('Enter');
    await title().waitFor();
    await eventually(async () => (await focused()) === 'Rollout of version 2 aborted by its guardrail');
  });

  it('keeps the focus on an activation that is refused because a rollout has begun', async () => {
    await navigate(page, `/flows/${flow.id}?version=2`);
    await button('Activate version 2 …').click();
    const activate = dialog().getByRole('button', { name: 'Activate for all' });
    await eventually(async () => (await activate.getAttribute('aria-disabled')) === null);
    dataOf(await merchant.api.post(`/flows/${flow.id}/rollouts`, ROLLOUT));
    await activate.press('Enter');
    await shows(dialog(), 'A rollout of version 2 is running');
    await eventually(async () => (await activate.getAttribute('aria-busy')) === 'false');
    expect(await activate.getAttribute('aria-disabled')).toBe('true');
    expect(await focused()).toBe('Activate for all');
  });

  it('causes no browser errors except for the refused request, which the page shows', () => {
    expect(app.complaints.filter((each) => !each.startsWith('Failed to load resource'))).toEqual([]);
  });
});
