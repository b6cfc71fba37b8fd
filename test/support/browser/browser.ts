import { execFileSync } from 'node:child_process';
import { type Browser, chromium, type Page } from 'playwright-core';
import { eventually } from '../eventually.js';
import { ensureChromiumInstalled } from '../servers/chromium.mjs';

/** Generous, because a busy machine renders slowly. */
export const STEP_MS = 60_000;

/**
 * Pages of a session share a renderer process, which stays when they navigate. A new process costs 0.25 s of CPU time.
 */
const ONE_RENDERER = ['--disable-site-isolation-trials', '--renderer-process-limit=1'];

/** Starts the machine's Chromium. */
export async function startBrowser(): Promise<Browser> {
  // Playwright needs a path
  const executablePath = execFileSync('which', [ensureChromiumInstalled()], { encoding: 'utf8' }).trim();
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', ...ONE_RENDERER];
  return chromium.launch({ executablePath, args });
}

/**
 * Opens a page in a new session, without animations, and collects the browser's errors, such as a script blocked by a
 * policy.
 */
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
 * Signs out and deletes everything stored except the loaded files, and leaves a blank page. A page in a new session
 * would need a new process, which loads and compiles the files again.
 */
export async function forgetAll(page: Page): Promise<void> {
  await page.unrouteAll();
  await page.context().clearCookies();
  if (page.url() === 'about:blank') return;
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.goto('about:blank');
}

/** Resolves when the page is no wider than its window; some content adapts its width a moment later. */
export async function fitsWindow(page: Page): Promise<void> {
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  await eventually(
    async () => {
      const pixels = await page.evaluate<number>(overflow);
      if (pixels > 0) throw new Error(`${page.url()} is ${pixels} px wider than its window`);
    },
    { timeoutMs: STEP_MS, intervalMs: 100 },
  );
}
