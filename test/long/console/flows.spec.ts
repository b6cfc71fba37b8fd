import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { Merchant } from '../../support/app/merchant.js';
import { fitsWindow, STEP_MS } from '../../support/browser/browser.js';
import { isAccessible, signIn } from '../../support/browser/console.js';
import { type ConsoleApp, startConsoleApp } from '../../support/browser/console-app.js';
import { eventually } from '../../support/eventually.js';

const PAYMENTS = 40;

let app: ConsoleApp;
let merchant: Merchant;
let page: Page;

beforeAll(async () => {
  app = await startConsoleApp({ entry: 'api' });
  ({ merchant, page } = app);
}, 5 * STEP_MS);
afterAll(() => app?.stop());

const card = (title: string): Locator => page.getByRole('region', { name: title, exact: true });
const backtest = (): Locator => card('Backtest');
const pick = (): Locator => card('Simulator').locator('.pick');
const strategy = (): Locator => card('Strategy').getByRole('combobox', { name: 'Strategy' });
const shopCards = (): Locator => page.getByRole('list', { name: 'Shops of the flow' }).locator(':scope > li');
/** Resolves when the cards are in this order. */
const ordersShops = (...names: string[]): Promise<void> =>
  eventually(async () => expect(await shopCards().locator('h3').allTextContents()).toEqual(names));

async function shows(locator: Locator, text: string | RegExp): Promise<void> {
  await locator.filter({ hasText: text }).first().waitFor();
}

/** The parts of the browser's types that {@link isInView} uses. */
interface ShownElement {
  getBoundingClientRect(): { left: number; top: number };
  contains(other: unknown): boolean;
}
interface ShownDocument {
  document: { elementFromPoint(x: number, y: number): unknown };
}

/** Resolves when the element's top is in the window, and no other element covers it. */
const isInView = (locator: Locator): Promise<true> =>
  eventually(
    () =>
      locator.evaluate((each: ShownElement) => {
        const { left, top } = each.getBoundingClientRect();
        return each.contains((globalThis as unknown as ShownDocument).document.elementFromPoint(left + 12, top + 6));
      }),
    { timeoutMs: STEP_MS },
  );

/** One scenario: each test continues where the test before has ended. */
describe('the flow pages of the console', () => {
  it('say what to do while there is no flow', async () => {
    await signIn(page, app.service.url, '/flows');
    await page.getByRole('heading', { name: 'No flows yet' }).waitFor();
    await isAccessible(page);
  });

  it('open the editor when a flow is created', async () => {
    for (const name of ['Berlin', 'Paris']) await merchant.createShop(name);
    await merchant.createShop('Lyon', { provider_account: 'eu', provider_credentials: { account: 'eu' } });
    await page.reload();
    await page.getByRole('button', { name: 'Create a flow' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('checkout');
    await dialog.getByLabel('Berlin').check();
    await dialog.getByLabel('Paris').check();
    await dialog.getByRole('button', { name: 'Create and open' }).click();
    await page.getByRole('heading', { name: 'checkout', level: 1 }).waitFor();
    await shows(backtest(), 'has routed no payments yet');
    await shows(pick(), 'Goes to');
  });

  it('show a backtest that changes while the draft is typed', async () => {
    for (let sent = 0; sent < PAYMENTS; sent++) {
      await merchant.pay('checkout', { customer: { email: `person${sent}@example.com` } });
    }
    await page.reload();
    await shows(backtest(), `0 % of ${PAYMENTS} payments would go to another shop`);
    await strategy().selectOption('weighted');
    await shopCards().first().getByLabel('Weight').fill('3');
    await shows(backtest(), `75 % of ${PAYMENTS} payments would go to another shop`);
    await shows(backtest().getByRole('row', { name: /Berlin/ }), '75 %');
    await shows(backtest(), 'No clear difference');
    await backtest().getByText('As a table').click();
    await shows(
      backtest().getByRole('table', { name: 'Payments that change shops' }).getByRole('row'),
      'ParisBerlin20',
    );
    await backtest().getByText('Examples of these payments').click();
    expect(await backtest().getByRole('link').first().getAttribute('href')).toMatch(/\/console\/payments\/\d+$/);
    await isAccessible(page);
  });

  it('simulate a payment, explain the choice and apply a suggested change', async () => {
    const berlin = shopCards().first();
    await berlin.getByText('Conditions:').click();
    await berlin.getByLabel('Currencies').fill('usd');
    await shows(pick(), 'Goes to Paris');
    const simulator = card('Simulator');
    await simulator.getByText('Other shops: 1 excluded').click();
    await shows(simulator, 'excluded: it does not accept the currency');
    await simulator.getByRole('button', { name: 'Apply the change for Berlin' }).click();
    await shows(pick(), 'Goes to Berlin');
    expect(await simulator.getByLabel('Currency').inputValue()).toBe('USD');
  });

  it('send a simulated payment only to shops of the accounts that it names', async () => {
    const simulator = card('Simulator');
    await simulator.getByText('Payment method: not named').click();
    await simulator.getByRole('button', { name: 'Add an account' }).click();
    await simulator.getByLabel('Account', { exact: true }).selectOption('eu');
    await shows(pick(), 'No shop takes this payment');
    await shows(simulator, 'excluded: the payer has no payment method in its account');
    await isAccessible(page);
    await simulator.getByLabel('BIN').fill('41');
    await eventually(async () => (await simulator.getByLabel('BIN').getAttribute('aria-invalid')) === 'true');
    await simulator.getByLabel('BIN').fill('411111');
    await simulator.getByLabel('Account', { exact: true }).selectOption('default');
    await shows(pick(), 'Goes to Berlin');
    await shows(simulator, 'Payment method: sandbox default; 411111');
    await simulator.getByRole('button', { name: 'Remove options[0]' }).click();
    await simulator.getByLabel('BIN').fill('');
  });

  it('let the user compare shops by the segments of payments', async () => {
    await strategy().selectOption('success_rate');
    const by = card('Strategy').getByLabel('Compare shops by');
    await by.selectOption('card scheme');
    await card('Strategy').getByLabel('And by').selectOption('country');
    await shows(card('Simulator'), /A trial|for card scheme unknown, country/);
    await card('Strategy').getByLabel('Objective').selectOption('margin');
    await isAccessible(page);
    await by.selectOption('country');
    expect(await card('Strategy').getByLabel('And by').inputValue()).toBe('');
    await by.selectOption('all payments');
    expect(await card('Strategy').getByLabel('And by').count()).toBe(0);
    await strategy().selectOption('weighted');
  });

  it('show an error next to its field', async () => {
    const weight = shopCards().first().getByLabel('Weight');
    await weight.fill('many');
    await shows(shopCards().first(), 'must be an integer');
    expect(await weight.getAttribute('aria-invalid')).toBe('true');
    await weight.fill('3');
    await eventually(async () => (await weight.getAttribute('aria-invalid')) === null);
  });

  it('let the user move shops with keys and by dragging', async () => {
    await strategy().selectOption('priority');
    const down = page.getByRole('button', { name: 'Move Berlin down' });
    await down.focus();
    await page.keyboard.press('Enter');
    await ordersShops('Paris', 'Berlin');
    await shows(page.getByRole('status'), 'Berlin is now 2 of 2');
    await page.locator('[aria-label="Move Berlin down"]:focus').waitFor();
    await eventually(async () => expect(await shopCards().first().getByLabel('Priority').inputValue()).toBe('1'));
    const head = shopCards().first().locator('.ordered-card-head');
    await shopCards()
      .nth(1)
      .locator('.drag-handle')
      .dragTo(head, { targetPosition: { x: 60, y: 2 } });
    await ordersShops('Berlin', 'Paris');
  });

  it('keep unsaved changes in the tab and ask before the user leaves them', async () => {
    await page.getByRole('link', { name: 'Audit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('link', { name: 'Audit' }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('link', { name: 'Flows' }).click();
    await page.getByRole('link', { name: 'checkout' }).click();
    await page.getByText('unsaved changes').waitFor();
    expect(await strategy().inputValue()).toBe('priority');
  });

  it('let the user edit a flow as JSON and say what the form cannot show', async () => {
    await page.getByRole('tab', { name: 'JSON' }).click();
    const json = page.getByRole('textbox', { name: /^JSON/ });
    const text = await json.inputValue();
    await json.fill(text.replace('"priority"', '"round_robin"').replace('"weight"', '"wieght"'));
    await shows(card('Definition'), 'The form cannot show shops[shop 1].wieght');
    expect(await page.getByRole('button', { name: 'Save as a draft' }).isDisabled()).toBe(true);
    await page.getByRole('tab', { name: 'Form' }).click();
    await page.getByText('unsaved changes').waitFor();
    await page.getByRole('tab', { name: 'JSON' }).click();
    expect(await json.inputValue()).toContain('wieght');
    await json.fill(text.replace('"priority"', '"round_robin"'));
    await page.getByRole('tab', { name: 'Form' }).click();
    expect(await strategy().inputValue()).toBe('round_robin');
  });

  it('refuse to activate a flow with a broken assertion and let the user try the counterexample', async () => {
    await card('Assertions').getByRole('button', { name: 'Add assertion' }).click();
    await card('Assertions').getByLabel('Must', { exact: true }).selectOption('never');
    await page.getByRole('button', { name: 'Save and activate …' }).click();
    const dialog = page.getByRole('dialog');
    await shows(dialog, 'assertions[0]');
    await dialog.getByRole('button', { name: 'Activate for all' }).click();
    await shows(dialog, 'flow_assertion_violated');
    await isAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await shows(card('Assertions'), 'must never go to shop 1');
    await card('Assertions').getByRole('button', { name: 'Try it in the simulator' }).click();
    await shows(pick(), 'Goes to Berlin');
    await page.getByRole('button', { name: 'Remove assertions[0]' }).click();
  });

  it('check an assertion about the accounts and the card of a payment', async () => {
    const assertions = card('Assertions');
    await assertions.getByRole('button', { name: 'Add assertion' }).click();
    await assertions.getByRole('button', { name: 'Add an account' }).click();
    await assertions.getByLabel('Account', { exact: true }).selectOption('eu');
    await assertions.getByRole('button', { name: 'assertions[0]: add a test' }).click();
    await assertions.getByLabel('assertions[0]: field').selectOption('card.bin');
    await assertions.getByLabel('assertions[0], card.bin: values, separated by commas').fill('4111, x');
    await shows(assertions, 'must be the first 1 to 8 digits');
    await assertions.getByLabel('assertions[0], card.bin: values, separated by commas').fill('4111, 51');
    await page.getByRole('button', { name: 'Save and activate …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Activate for all' }).click();
    await shows(dialog, 'flow_assertion_violated');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await assertions.getByRole('button', { name: 'Try it in the simulator' }).click();
    await shows(pick(), 'No shop takes this payment');
    await shows(card('Simulator'), /Payment method: sandbox eu; 4111/);
    await page.getByRole('button', { name: 'Remove assertions[0]' }).click();
  });

  it('take no change while a flow is being saved', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const isDraft = /\/versions$/;
    await page.route(isDraft, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save as a draft' }).click();
    await eventually(() => strategy().isDisabled());
    release();
    await page.waitForURL(/version=2/);
    await eventually(() => strategy().isEnabled());
    await page.unroute(isDraft);
  });

  it('show the changes before an activation and compare any two versions', async () => {
    await page.getByRole('button', { name: 'Activate version 2 …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('button:focus').filter({ hasText: 'Cancel' }).waitFor();
    await shows(dialog, 'Weight of');
    await shows(dialog.getByRole('region', { name: 'Backtest of the version' }), `of ${PAYMENTS} payments`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Activate version 2 …' }).click();
    await dialog.getByRole('button', { name: 'Activate for all' }).dblclick();
    await page.getByText('Version 2 is active').waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await card('Compare').getByLabel('Before').selectOption('1');
    await card('Compare').getByLabel('After').selectOption('2');
    await shows(card('Compare'), 'takes payments in');
    await page.waitForURL(/from=1&to=2/);
    await isAccessible(page);
  });

  it('refuse to replace a version that another user has activated until the user has seen it', async () => {
    const path = `/flows/${/flows\/(\d+)/.exec(page.url())![1]}`;
    const dialog = page.getByRole('dialog');
    const activate = dialog.getByRole('button', { name: 'Activate for all' });
    const seen = dialog.getByRole('button', { name: /^Replace version/ });
    await page.getByRole('tab', { name: 'Form' }).click();
    await strategy().selectOption('weighted');
    await merchant.api.patch(path, { max_attempts: 2 });
    await page.getByRole('button', { name: 'Save and activate …' }).click();
    await shows(dialog, /Version 3 has become active since you started from version 2/);
    expect(await activate.isDisabled()).toBe(true);
    expect(await dialog.getByRole('list', { name: 'Changes in version 3' }).innerText()).toBe(
      'A payment that a shop does not approve is tried with up to 2 shops; was 1.',
    );
    await isAccessible(page);
    await seen.click();
    // another user activates a version at the last moment
    await merchant.api.patch(path, { max_attempts: 1 });
    await activate.click();
    await shows(dialog, 'flow_changed');
    await shows(dialog, /Version 4 has become active/);
    await seen.click();
    await activate.click();
    await page.getByText('Version 5 is active').waitFor();
    expect(await strategy().inputValue()).toBe('weighted');
  });

  it('roll a version out to a part of the payments, and abort it with a reason', async () => {
    const dialog = page.getByRole('dialog');
    const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
    await strategy().selectOption('round_robin');
    await page.getByRole('button', { name: 'Save as a draft' }).click();
    await page.getByRole('button', { name: 'Activate version 6 …' }).click();
    await press('Roll out to a part …');
    await dialog.locator('button:focus').filter({ hasText: 'Cancel' }).waitFor();
    await dialog.getByLabel('Percent of the payments').fill('101');
    await press('Start the rollout');
    await shows(dialog, /must be from 0 to 100/);
    await dialog.getByLabel('Percent of the payments').fill('50');
    await dialog.getByRole('button', { name: 'Start the rollout' }).dblclick();
    await page.getByRole('heading', { name: 'Version 6 gets 50 % of the payments' }).waitFor();
    await page.getByRole('link', { name: 'version 6: 50 %' }).waitFor();
    await page.getByRole('button', { name: 'Abort …' }).click();
    await dialog.getByLabel('Reason').fill('Too expensive');
    await dialog.getByRole('button', { name: 'Abort', exact: true }).dblclick();
    await shows(page.getByRole('heading', { name: 'Rollout of version 6' }), 'aborted by a person');
    await shows(page.getByRole('table', { name: 'Ended rollouts' }), 'Too expensive');
    await page.getByRole('tab', { name: 'Form' }).click();
  });

  it('keep the results for the draft in view while a form is edited', async () => {
    const preview = page.getByRole('complementary', { name: 'Preview of the draft' });
    const open = preview.getByRole('button', { name: 'Preview' });
    const results = preview.locator('.preview-results');
    await page.setViewportSize({ width: 1440, height: 900 });
    await card('Assertions').getByRole('button', { name: 'Add assertion' }).click();
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await isInView(results);
    await isInView(card('Simulator'));
    await page.setViewportSize({ width: 390, height: 844 });
    await card('Assertions').getByLabel('Must', { exact: true }).selectOption('at_least_tries');
    await card('Assertions').getByLabel('Number of attempts').fill('9');
    await isInView(card('Assertions').getByLabel('Number of attempts'));
    await isInView(results);
    expect(await card('Simulator').isVisible()).toBe(false);
    await open.click();
    await isInView(card('Simulator').getByLabel('Amount'));
    await isAccessible(page);
    await page.keyboard.press('Escape');
    await preview.locator('button[aria-expanded="false"]:focus').waitFor();
    expect(await card('Assertions').getByLabel('Number of attempts').inputValue()).toBe('9');
    await page.getByRole('button', { name: 'Discard changes' }).click();
  });

  it('fit on a narrow screen', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const tab of ['Form', 'JSON', 'Versions']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel').waitFor();
      await fitsWindow(page);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('say that a flow cannot be deleted while it has open payments', async () => {
    await merchant.pay('checkout', { currency: 'USD', payment_method: { token: 'tok_pending' } });
    await page.getByRole('link', { name: 'Flows' }).click();
    await page.getByRole('button', { name: 'Delete checkout' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await shows(page.getByRole('dialog'), 'flow_has_open_payments');
    await isAccessible(page);
  });

  it('cause no browser errors except for refused requests, which the pages show', () => {
    expect(app.complaints.filter((each) => !each.startsWith('Failed to load resource'))).toEqual([]);
  });
});
