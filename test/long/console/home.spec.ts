import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fitsWindow, STEP_MS } from '../../support/browser/browser.js';
import { seriousFindings, signIn } from '../../support/browser/console.js';
import { type ConsoleApp, startConsoleApp } from '../../support/browser/console-app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

let app: ConsoleApp;
let good: Receiver;
let bad: Receiver;

beforeAll(async () => {
  const env = { WEBHOOK_RETRY_DELAYS_MS: '50,50,50' };
  [app, good, bad] = await Promise.all([startConsoleApp({ env }), startReceiver(200), startReceiver(500)]);
}, 5 * STEP_MS);
afterAll(async () => {
  await app?.stop();
  await Promise.all([good?.stop(), bad?.stop()]);
});

describe('an operator in the console', () => {
  it('gets from an empty home page to a failing endpoint and tests its receiver', async () => {
    const { page, merchant, service, complaints } = app;
    await signIn(page, service.url);
    await page.getByRole('heading', { name: '1. Create a shop' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    // all of this appears without a reload
    const shop = await merchant.createShop('متجر دبي');
    await merchant.createFlow('checkout', [shop.id]);
    await page.getByText('done', { exact: true }).first().waitFor();
    for (const receiver of [good, bad]) await merchant.pay('checkout', { webhook_endpoint: `${receiver.url}/hooks` });
    await page.getByText('of 2 attempts').waitFor();
    await page.getByText(/^2 delivered, [1-9]/).waitFor();

    await page.getByRole('link', { name: 'Open provider operations' }).click();
    await page.getByText('The outcome of every provider operation is known.').waitFor();

    await page.getByRole('link', { name: 'Endpoints', exact: true }).first().click();
    await page.getByLabel('Status').selectOption('erring');
    await page.getByRole('link', { name: bad.url }).click();
    await page.getByText('The receiver failed.').waitFor();
    await page.waitForURL(/\/console\/endpoints\/\d+$/);

    await page.getByRole('button', { name: 'Send a test' }).click();
    await page
      .getByRole('region', { name: 'Result of the test' })
      .getByText(/500 in \d+ ms/)
      .waitFor();
    await page.getByRole('button', { name: 'Run the conformance cases' }).click();
    await page.getByText(/The receiver failed \d+ of \d+ cases/).waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await page.goBack();
    await page.waitForURL(/status=erring/);
    await page.getByRole('link', { name: bad.url }).waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await fitsWindow(page);
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
