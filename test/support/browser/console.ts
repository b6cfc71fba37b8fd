import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { BOOTSTRAP_CLIENT } from '../app/service.js';
import { eventually } from '../eventually.js';

type Credentials = Readonly<{ id: string; secret: string }>;

const axeSource = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * Opens the console at `path`, such as `/payments`, with a new session of the client. The sign-in page is not shown, which
 * takes longer.
 */
export async function signIn(
  page: Page,
  url: string,
  path = '',
  client: Credentials = BOOTSTRAP_CLIENT,
): Promise<void> {
  const data = { client_id: client.id, client_secret: client.secret };
  const answer = await page.context().request.post(`${url}/console/session`, { data });
  if (!answer.ok()) throw new Error(`sign-in failed: ${answer.status()} ${await answer.text()}`);
  await page.goto(`${url}/console${path}`);
  await page.locator('#content').waitFor();
}

/** Signs in on the sign-in page that is shown. */
export async function signInHere(page: Page, client: Credentials = BOOTSTRAP_CLIENT): Promise<void> {
  await page.getByLabel('Client id').fill(client.id);
  await page.getByLabel('Client secret').fill(client.secret);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('#content').waitFor();
}

/** Navigates to `path` like the browser's back and forward buttons, without loading the page again. */
export async function navigate(page: Page, path: string): Promise<void> {
  const to = JSON.stringify(`/console${path}`);
  await page.evaluate(`history.pushState(null, '', ${to}); dispatchEvent(new PopStateEvent('popstate'))`);
}

/** Waits until the page with this title is shown and nothing is loading. */
export async function settled(page: Page, title: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  const isSettled = async () => (await page.locator('.loading, [aria-busy="true"]').count()) === 0;
  await eventually(isSettled, { intervalMs: 100 });
}

interface Axe {
  run(options: { resultTypes: ['violations']; preload: false; runOnly?: readonly string[] }): Promise<{
    violations: { id: string; impact: string | null; nodes: { target: string[]; failureSummary: string }[] }[];
  }>;
}

/**
 * The serious and critical findings of axe-core on the current page: rule, place, and repair. `rules`: checks only
 * these, for a page that was already checked in other colors.
 */
export async function seriousFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(await readFile(axeSource, 'utf8'));
  // passed checks are not described; the rules that would load styles again are experimental and off
  const options = {
    resultTypes: ['violations'] as ['violations'],
    preload: false as const,
    ...(rules && { runOnly: rules }),
  };
  const { violations } = await page.evaluate(
    (given) => (globalThis as unknown as { axe: Axe }).axe.run(given),
    options,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    );
}

/** Throws the serious findings on the current page, such as an open dialog. It takes as long as several steps of a test. */
export async function isAccessible(page: Page): Promise<void> {
  assert.deepEqual(await seriousFindings(page), []);
}
