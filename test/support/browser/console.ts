import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { BOOTSTRAP_CLIENT } from '../app/service.js';
import { eventually } from '../eventually.js';

type Credentials = Readonly<{ id: string; secret: string }>;

const axeSource = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Opens the console at `path`, such as `/payments`, and signs in there; the page shown then is the one asked for. */
export async function signIn(
  page: Page,
  url: string,
  path = '',
  client: Credentials = BOOTSTRAP_CLIENT,
): Promise<void> {
  await page.goto(`${url}/console${path}`);
  await signInHere(page, client);
}

/** On the sign-in page that is shown. */
export async function signInHere(page: Page, client: Credentials = BOOTSTRAP_CLIENT): Promise<void> {
  await page.getByLabel('Client id').fill(client.id);
  await page.getByLabel('Client secret').fill(client.secret);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('#content').waitFor();
}

/** Leads to `path` as the browser's own buttons would, without loading the page anew. */
export async function lead(page: Page, path: string): Promise<void> {
  const to = JSON.stringify(`/console${path}`);
  await page.evaluate(`history.pushState(null, '', ${to}); dispatchEvent(new PopStateEvent('popstate'))`);
}

/** The page of this title is there, and nothing is on its way any more. */
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
 * What axe-core finds on the page as it is now that is serious or critical: rule, where, and what would repair it.
 * `rules`: go by these alone, as for a page that was looked at in other colors before.
 */
export async function seriousFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(await readFile(axeSource, 'utf8'));
  // what passes is not described; the rules that would load styles again are experimental ones, which are off
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
