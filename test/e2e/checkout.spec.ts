import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { ManagedProcess } from '../../src/cli/demo/managed-process.js';
import { forgetAll, openPage, startBrowser, STEP_MS } from '../support/browser/browser.js';
import { eventually } from '../support/eventually.js';
import { forgetProcess, rememberProcess } from '../support/servers/servers.js';

const START_MS = 150_000;
/** The cards of the page. */
const CARD_NUMBERS = /4111111111111111|4212345678901237|4000000000003220|4000000000000002/;

describe('examples/checkout', () => {
  let checkout: ManagedProcess;
  let browser: Browser;
  let url: string;
  let page: Page;
  let complaints: string[];
  /** Bodies and addresses that the page sent to the backend. */
  const sent: string[] = [];
  /** Answers with an error status. */
  const refused: string[] = [];

  beforeAll(async () => {
    const args = [fileURLToPath(new URL('../../examples/checkout/start.js', import.meta.url))];
    checkout = ManagedProcess.spawn({ name: 'the checkout', args, env: { PORT: '0' } });
    rememberProcess(checkout.pid);
    checkout.child.once('exit', () => forgetProcess(checkout.pid));
    browser = await startBrowser();
    url = await eventually(
      () => {
        if (checkout.hasExited) throw new Error(checkout.lastLog());
        return Promise.resolve(/The shop is open: (\S+)/.exec(checkout.log())![1]!);
      },
      { timeoutMs: START_MS },
    );
    ({ page, complaints } = await openPage(browser));
    page.on('response', (response) => {
      if (response.status() < 400) return;
      void response.text().then((text) => refused.push(`${response.status()} ${response.url()} ${text}`));
    });
    page.on('request', (request) => {
      if (request.url().startsWith(url)) sent.push(`${request.url()} ${request.postData() ?? ''}`);
    });
  });
  afterAll(async () => {
    await browser?.close();
    expect(await checkout?.stop(60_000)).toBe(0);
  });

  const open = async (method: string): Promise<void> => {
    await forgetAll(page);
    for (const seen of [complaints, sent, refused]) seen.length = 0;
    await page.goto(url);
    await pay(method);
  };
  const pay = async (method: string): Promise<void> => {
    await page.getByRole('radio', { name: method }).check();
    await page.getByRole('button', { name: 'Pay' }).click();
  };
  const answerBank = (name: 'Approve' | 'Decline') =>
    page.getByRole('dialog', { name: 'Your bank' }).getByRole('button', { name }).click();
  const shows = async (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
  const lines = (selector: string) => page.locator(`${selector} li`).allTextContents();
  /** The statuses that verified webhooks reported, by payment. */
  const reported = async (): Promise<string[][]> => {
    const found = (await lines('#webhooks')).map((line) => /^payment (\d+) (.+)$/.exec(line)!);
    const payments = [...new Set(found.map(([, payment]) => payment))];
    return payments.map((payment) => found.filter((each) => each[1] === payment).map((each) => each[2]!));
  };
  /**
   * Waits until the webhooks report these ends of the order's payments. The step before may be missing: on a busy machine
   * its webhook may arrive after the end, and then the shop ignores it.
   */
  const reports = (ends: string[]): Promise<void> =>
    eventually(
      async () => {
        const seen = await reported();
        expect([seen.map((statuses) => statuses.at(-1)), refused]).toEqual([ends, []]);
        expect(seen.every((statuses) => statuses.length <= 2)).toBe(true);
      },
      { timeoutMs: STEP_MS },
    );

  afterEach(() => {
    expect(sent.filter((each) => each.includes('/orders'))).not.toEqual([]);
    expect(sent.filter((each) => CARD_NUMBERS.test(each))).toEqual([]);
    expect([complaints, refused]).toEqual([[], []]);
  });

  it('pays with Stripe after Adyen declined', async () => {
    await open('A card that Adyen declines and Stripe approves');
    await shows('Paid by Stripe Europe.');
    await reports(['completed, Stripe Europe']);
    expect(await lines('#tries')).toEqual(['Adyen Europe: soft_declined, card_declined', 'Stripe Europe: approved']);
  });

  it.each([
    ['Approve', 'Paid by Adyen Europe.', 'approved', 'completed'],
    ['Decline', 'The payment failed. Nothing was charged.', 'declined, authentication_failed', 'failed'],
  ] as const)('%s: 3-D Secure at Adyen, with fingerprint and challenge', async (answer, text, tried, status) => {
    await open('3-D Secure at Adyen');
    await answerBank(answer);
    await shows(text);
    await reports([`${status}, Adyen Europe`]);
    expect(await lines('#tries')).toEqual([`Adyen Europe: ${tried}`]);
    const steps = sent.filter((each) => each.includes('/next-action'));
    expect(steps.map((step) => /threeds2\.fingerprint|threeDSResult/.exec(step)?.[0])).toEqual([
      'threeds2.fingerprint',
      'threeDSResult',
    ]);
  });

  it('pays with 3-D Secure by Stripe.js after Adyen declined', async () => {
    await open('then 3-D Secure at Stripe');
    await answerBank('Approve');
    await shows('Paid by Stripe Europe.');
    await reports(['completed, Stripe Europe']);
    expect(sent.filter((each) => each.includes('"payment_intent":"pi_'))).toHaveLength(1);
  });

  /** Loses the answer to a step of the payer; `reaches`: only the answer, not the request. */
  const loseStep = async ({ reaches }: { reaches: boolean }, act: () => Promise<void>): Promise<void> => {
    await page.route('**/next-action', async (route) => {
      if (reaches) await route.fetch();
      await route.abort();
    });
    await act();
    await shows('Failed to fetch');
    await page.unrouteAll();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('net::ERR_FAILED')]);
  };
  it('continues the payment if the answer to a step is lost', async () => {
    await open('then 3-D Secure at Stripe');
    await loseStep({ reaches: true }, () => answerBank('Approve'));
    await pay('A card that Adyen approves');
    await shows('Paid by Stripe Europe.');
    await reports(['completed, Stripe Europe']);
  });

  it('cancels a payment whose step did not arrive before a new one begins', async () => {
    await open('A card that both decline');
    await shows('The payment failed. Nothing was charged.');
    await loseStep({ reaches: false }, () => pay('3-D Secure at Adyen'));
    await pay('A card that Adyen approves');
    await shows('Paid by Adyen Europe.');
    await reports(['failed, Stripe Europe', 'cancelled, Adyen Europe', 'completed, Adyen Europe']);
  });

  it('pays with iDEAL by a redirect', async () => {
    await open('iDEAL');
    await page.getByRole('button', { name: 'approve' }).click();
    await shows('Paid by Adyen Europe.');
    await reports(['completed, Adyen Europe']);
    expect(await lines('#tries')).toEqual(['Adyen Europe: approved']);
  });
});
