import { execFileSync } from 'node:child_process';
import { type Browser, chromium, type Page } from 'playwright-core';
import { eventually } from '../eventually.js';
import { ensureChromiumInstalled } from '../servers/chromium.mjs';

/** A crowded machine draws slowly. */
export const STEP_MS = 60_000;

/** Pages of a session share a process, which stays when they lead elsewhere: a process costs a quarter of a second of CPU time. */
const ONE_RENDERER = ['--disable-site-isolation-trials', '--renderer-process-limit=1'];

/** Chromium of the machine. */
export async function startBrowser(): Promise<Browser> {
  // Playwright takes a path
  const executablePath = execFileSync('which', [ensureChromiumInstalled()], { encoding: 'utf8' }).trim();
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', ...ONE_RENDERER];
  return chromium.launch({ executablePath, args });
}

/** A page in a session of its own, where nothing moves while it is looked at, and what the browser complains of on it, such as a policy that stops a script. */
export async function openPage(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(STEP_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}

/**
 * Leaves the page on which nobody is signed in, and of which nothing is kept but the files that it has loaded: a page in a
 * session of its own takes a process of its own, which loads and compiles them again.
 */
export async function forgetAll(page: Page): Promise<void> {
  await page.unrouteAll();
  await page.context().clearCookies();
  if (page.url() === 'about:blank') return;
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.goto('about:blank');
}

/** Resolves once the page is no wider than its window: what fits its width to the window does so a moment later. */
export async function fitsWindow(page: Page): Promise<void> {
  const tooMuch = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  await eventually(
    async () => {
      const pixels = await page.evaluate<number>(tooMuch);
      if (pixels > 0) throw new Error(`${page.url()} is ${pixels} px wider than its window`);
    },
    { timeoutMs: STEP_MS, intervalMs: 100 },
  );
}
